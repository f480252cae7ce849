# What names suggest: `word: "pattern"`, the words of analyzer/rulebook/conventions.def, patterns with one star or `*part*`.
# Behind each row: how often names of the measured packages fit, and in how many files
# (python3 tests/truth/count_conventions.py writes it). rules/FORMAT.md says more.
# conventions

# ---- classes that the analysis itself knows values of ----

# The class of tensors.
tensor_class: "torch.Tensor"

# The class of modules.
module_class: "torch.nn.Module"

# The class of optimizers.
optimizer_class: "torch.optim.Optimizer"

# The class of loaders.
loader_class: "torch.utils.data.DataLoader"

# ---- the words of a function's name, in snake case, of a function that nobody in sight calls ----

# Names the work of a batch, a step or a request: done for each of them, whoever asks.
work_word: "act"
work_word: "action"
work_word: "actions"
work_word: "batch"
work_word: "batched"
work_word: "detect"
work_word: "forward"
work_word: "forecast"
work_word: "infer"
work_word: "inference"
work_word: "loss"
work_word: "losses"
work_word: "metric"
work_word: "metrics"
work_word: "observe"
work_word: "predict"
work_word: "step"
work_word: "steps"

# Does so as the last word.
work_last_word: "compute"
work_last_word: "sample"
work_last_word: "update"

# As the first word names what is done for no step.
idle_first_word: "after"
idle_first_word: "before"
idle_first_word: "configure"
idle_first_word: "load"
idle_first_word: "make"
idle_first_word: "on"
idle_first_word: "reset"
idle_first_word: "set"
idle_first_word: "transform"

# Names what prepares a run, ends it, or lies outside of it.
once_word: "build"
once_word: "collate"
once_word: "create"
once_word: "demo"
once_word: "export"
once_word: "init"
once_word: "onnx"
once_word: "register"
once_word: "setup"
once_word: "test"

# Of a method, names what a run does once.
making_word: "convert"
making_word: "download"
making_word: "fit"
making_word: "fold"
making_word: "initialise"
making_word: "initialised"
making_word: "initialize"
making_word: "initialized"
making_word: "load"
making_word: "make"
making_word: "parse"
making_word: "prepare"
making_word: "quantise"
making_word: "quantize"
making_word: "resize"
making_word: "set"
making_word: "split"
making_word: "warm"
making_word: "warmup"

# ---- methods that somebody's loop calls ----

# Begins the name of a method that a framework calls.
hook: "before_*"
hook: "after_*"
hook: "on_*"

# A hook with such a word is called in each turn.
hook_of_turns: "*iter*"
hook_of_turns: "*batch*"
hook_of_turns: "*step*"
hook_of_turns: "*forward*"
hook_of_turns: "*backward*"
hook_of_turns: "*update*"
hook_of_turns: "*loss*"

# A method of a step.
step_method: "*_step"

# Text for people, which nobody calls in a run.
describing_method: "extra_repr"

# Of a preparing class, works with what a model made.
showing_method: "post*"
showing_method: "visualize*"

# A class that prepares inputs on the CPU unless it is asked for a GPU.
preparing_class: "*ImageProcessor*"
preparing_class: "*VideoProcessor*"
preparing_class: "*FeatureExtractor*"

# ---- conditions, and what decorates ----

# A parameter that counts turns.
turn_parameter: "batch_idx"
turn_parameter: "step"
turn_parameter: "global_step"

# What compares equal to 0 where a batch is empty.
size_attribute: "size"
size_attribute: "numel"
size_attribute: "nelement"
size_attribute: "len"
size_attribute: "shape"

# The number of a process among several.
rank: "*rank*"

# True on one process alone.
first_rank_flag: "*main_process*"
first_rank_flag: "*is_master*"
first_rank_flag: "*rank_zero*"

# True for what seldom happens.
rare_test: "isnan"
rare_test: "isinf"

# False for what seldom happens.
usual_test: "isfinite"

# A switch that a run has off.
debug_flag: "debug"
debug_flag: "DEBUG"
debug_flag: "verbose_debug"

# Raises when its first argument is false.
asserting_call: "_assert"

# Decorators of such a module compile: no line of the body runs in Python.
compiling_module: "numba"
compiling_module: "numba.*"
compiling_module: "triton"
compiling_module: "triton.*"
compiling_module: "warp"
compiling_module: "warp.*"
compiling_module: "taichi"
compiling_module: "taichi.*"

# Keeps a function's results by its arguments.
memoising_decorator: "*lru_cache"
memoising_decorator: "cache"

# Keeps a method's result for its object.
cached_property: "*cached_property"

# ---- files and folders ----

# A file of tests.
test_file: "test_*.py"
test_file: "*_test.py"
test_file: "conftest.py"

# Code for data: what a loader makes a batch of.
data_folder: "augmentation"
data_folder: "augmentations"
data_folder: "collate"
data_folder: "collation"
data_folder: "collator"
data_folder: "collators"
data_folder: "data"
data_folder: "data_loader"
data_folder: "data_loaders"
data_folder: "data_utils"
data_folder: "dataloader"
data_folder: "dataloaders"
data_folder: "dataloading"
data_folder: "datamodule"
data_folder: "datamodules"
data_folder: "dataset"
data_folder: "datasets"
data_folder: "featurizer"
data_folder: "featurization"
data_folder: "featurizers"

# Code that computes with it.
model_folder: "envs"
model_folder: "layers"
model_folder: "model"
model_folder: "models"
model_folder: "modules"
model_folder: "networks"
model_folder: "nn"
model_folder: "write"
model_folder: "replay_buffers"

# ---- methods and attributes of tensors and modules ----

# Loads a state that was saved.
restoring_method: "load_state_dict"

# Moves a module or tensor to a device.
moving_method: "cuda"
moving_method: "to"

# Goes over the parts of a module.
parts_method: "modules"
parts_method: "named_modules"
parts_method: "children"
parts_method: "named_children"
parts_method: "parameters"
parts_method: "named_parameters"
parts_method: "buffers"
parts_method: "named_buffers"

# Overwrites a tensor in place.
filling_method: "copy_"
filling_method: "fill_"

# The tensor itself, without its gradient.
data_attribute: "data"

# Makes a device of its argument.
device_constructor: "device"

# ---- what a value read from the GPU is used for ----

# Needs it now: its arguments are sizes.
sizing_call: "range"
sizing_call: "zeros"
sizing_call: "ones"
sizing_call: "empty"
sizing_call: "full"
sizing_call: "arange"
sizing_call: "view"
sizing_call: "reshape"
sizing_call: "expand"
sizing_call: "split"
sizing_call: "repeat"
sizing_call: "narrow"
sizing_call: "topk"

# Wants it later: it is kept, counted or shown.
logging_call: "print"
logging_call: "append"
logging_call: "update"
logging_call: "log"
logging_call: "info"
logging_call: "debug"
logging_call: "warning"
logging_call: "add_scalar"
logging_call: "set_postfix"
logging_call: "format"
logging_call: "write"
logging_call: "set_description"
logging_call: "log_metrics"
logging_call: "extend"
logging_call: "add"
