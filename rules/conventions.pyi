# What names suggest: `word: "pattern"`, the words of analyzer/rulebook/conventions.def, patterns with one star or `*part*`.
# Behind each row: how many names of the judged programs fit, and in how many of their files; python3
# tests/truth/count_conventions.py writes it. It is the name that is counted, not what was concluded from it.
# rules/FORMAT.md says more.
# conventions

# ---- classes that the analysis itself knows values of ----

# The class of tensors.
tensor_class: "torch.Tensor"  # 125 in 36

# The class of modules.
module_class: "torch.nn.Module"  # 363 in 154

# The class of optimizers.
optimizer_class: "torch.optim.Optimizer"  # 14 in 7

# The class of loaders.
loader_class: "torch.utils.data.DataLoader"  # 260 in 98

# The class of NumPy's arrays.
array_class: "numpy.ndarray"  # 10 in 6

# The class of NumPy's scalars.
array_scalar_class: "numpy.generic"  # 0 in 0

# The class of parameters.
parameter_class: "torch.nn.Parameter"  # 115 in 48

# A module that calls its parts in turn.
sequential_class: "torch.nn.Sequential"  # 244 in 116

# A list of modules.
module_list_class: "torch.nn.ModuleList"  # 83 in 44

# A dict of modules.
module_dict_class: "torch.nn.ModuleDict"  # 5 in 5

# An operation with a backward of its own.
operation_class: "torch.autograd.Function"  # 5 in 3

# What runs its forward.
operation_call: "torch.autograd.Function.apply"  # 24 in 15

# Writes logs.
writer_class: "torch.utils.tensorboard.SummaryWriter"  # 30 in 10

# An image on the CPU.
image_class: "PIL.Image.Image"  # 14 in 7

# The class of distributions.
distribution_class: "torch.distributions.Distribution"  # 0 in 0

# What tokenizers of models are.
tokenizer_class: "transformers.PreTrainedTokenizerBase"  # 0 in 0

# What generates sequences.
generating_class: "transformers.PreTrainedModel"  # 2 in 1

# A dict or tuple that moves itself to a device.
moving_container_class: "transformers.BatchEncoding"  # 0 in 0

# The class of shapes.
size_class: "torch.Size"  # 7 in 4

# The class of devices.
device_class: "torch.device"  # 4201 in 273

# The module of Python's built-in names.
builtins_module: "builtins"  # 1 in 1

# Texts.
str_class: "builtins.str"  # 289 in 111

# Bytes.
bytes_class: "builtins.bytes"  # 3 in 3

# Whole numbers.
int_class: "builtins.int"  # 1052 in 204

# Floating numbers.
float_class: "builtins.float"  # 806 in 256

# Lists.
list_class: "builtins.list"  # 180 in 114

# Tuples.
tuple_class: "builtins.tuple"  # 54 in 40

# Dicts.
dict_class: "builtins.dict"  # 275 in 77

# Dicts that keep an order.
ordered_dict_class: "collections.OrderedDict"  # 28 in 12

# A class of numbers.
number_class: "builtins.int"  # 1052 in 204
number_class: "builtins.float"  # 806 in 256
number_class: "builtins.bool"  # 72 in 48

# A class that all numbers of a kind are instances of.
abstract_number_class: "numbers.Number"  # 0 in 0
abstract_number_class: "numbers.Real"  # 0 in 0
abstract_number_class: "numbers.Integral"  # 0 in 0

# A class of texts.
text_class: "builtins.str"  # 289 in 111
text_class: "builtins.bytes"  # 3 in 3

# A class of containers.
container_class: "builtins.list"  # 180 in 114
container_class: "builtins.tuple"  # 54 in 40
container_class: "builtins.dict"  # 275 in 77
container_class: "builtins.set"  # 44 in 26

# Its instances are no tensors, arrays or records of a program unless those inherit it.
plain_class: "builtins.list"  # 180 in 114
plain_class: "builtins.tuple"  # 54 in 40
plain_class: "builtins.dict"  # 275 in 77
plain_class: "builtins.set"  # 44 in 26
plain_class: "builtins.str"  # 289 in 111
plain_class: "builtins.bytes"  # 3 in 3
plain_class: "builtins.int"  # 1052 in 204
plain_class: "builtins.float"  # 806 in 256
plain_class: "builtins.bool"  # 72 in 48
plain_class: "numpy.ndarray"  # 10 in 6
plain_class: "builtins.slice"  # 0 in 0
plain_class: "PIL.Image.Image"  # 14 in 7

# An annotation that says nothing of a tensor.
plain_type: "builtins.*"  # 1 in 1
plain_type: "typing.*"  # 27 in 27

# A base class that only says something of a class.
saying_class: "typing.*"  # 27 in 27
saying_class: "abc.*"  # 3 in 3

# Makes a list.
list_like: "collections.deque"  # 31 in 9

# Makes a dict, perhaps one whose keys are attributes too.
dict_like: "collections.OrderedDict"  # 28 in 12
dict_like: "types.SimpleNamespace"  # 4 in 3
dict_like: "argparse.Namespace"  # 3 in 2
dict_like: "munch.Munch"  # 0 in 0
dict_like: "easydict.EasyDict"  # 0 in 0
dict_like: "addict.Dict"  # 31 in 9
dict_like: "box.Box"  # 9 in 4

# Keeps a function with some of its arguments.
partial_function: "functools.partial"  # 47 in 17

# Imports a module by its name.
import_function: "importlib.import_module"  # 7 in 6

# Functions that do what modules do.
functional_module: "torch.nn.functional"  # 186 in 154

# A function there that gives a loss.
loss_function: "*_loss"  # 821 in 146
loss_function: "*_with_logits"  # 7 in 7

# An API of the torch package.
torch_api: "torch.*"  # 6006 in 433

# A method of tensors.
tensor_api: "torch.Tensor.*"  # 125 in 36

# The torch package, or a module of it.
torch_module: "torch"  # 6006 in 433
torch_module: "torch.*"  # 6006 in 433

# Runs the __str__ or __repr__ of what it is given.
printing_call: "builtins.print"  # 1102 in 213
printing_call: "builtins.str"  # 289 in 111
printing_call: "builtins.repr"  # 0 in 0
printing_call: "builtins.format"  # 284 in 99
printing_call: "logging.*"  # 184 in 44

# An old name of a tensor type.
old_tensor_type: "torch.*Tensor"  # 174 in 57

# Such a one on the GPU.
old_gpu_type: "torch.cuda.*"  # 745 in 233

# ---- the words of a function's name, in snake case, of a function that nobody in sight calls ----

# Names the work of a batch, a step or a request: done for each of them, whoever asks.
work_word: "act"  # 5 in 4
work_word: "action"  # 7 in 7
work_word: "actions"  # 2 in 2
work_word: "batch"  # 64 in 50
work_word: "batched"  # 0 in 0
work_word: "detect"  # 1 in 1
work_word: "forward"  # 370 in 151
work_word: "forecast"  # 1 in 1
work_word: "infer"  # 2 in 2
work_word: "inference"  # 6 in 6
work_word: "loss"  # 57 in 40
work_word: "losses"  # 23 in 18
work_word: "metric"  # 3 in 3
work_word: "metrics"  # 25 in 18
work_word: "observe"  # 10 in 9
work_word: "predict"  # 14 in 11
work_word: "step"  # 103 in 51
work_word: "steps"  # 5 in 5

# Does so as the last word.
work_last_word: "compute"  # 29 in 19
work_last_word: "sample"  # 42 in 31
work_last_word: "update"  # 77 in 61

# As the first word names what is done for no step.
idle_first_word: "after"  # 40 in 5
idle_first_word: "before"  # 25 in 5
idle_first_word: "configure"  # 11 in 11
idle_first_word: "load"  # 27 in 26
idle_first_word: "make"  # 31 in 30
idle_first_word: "on"  # 86 in 21
idle_first_word: "reset"  # 37 in 32
idle_first_word: "set"  # 24 in 22
idle_first_word: "transform"  # 6 in 3

# As the first word names what evaluates, computes or samples: a backward pass there trains nothing.
evaluating_word: "eval"  # 16 in 11
evaluating_word: "evaluate"  # 31 in 28
evaluating_word: "evaluation"  # 0 in 0
evaluating_word: "forward"  # 370 in 151
evaluating_word: "infer"  # 2 in 2
evaluating_word: "predict"  # 14 in 11
evaluating_word: "sample"  # 42 in 31
evaluating_word: "test"  # 30 in 29
evaluating_word: "valid"  # 6 in 6
evaluating_word: "validate"  # 16 in 15
evaluating_word: "validation"  # 25 in 13

# Names what prepares a run, ends it, or lies outside of it.
once_word: "build"  # 29 in 27
once_word: "collate"  # 17 in 15
once_word: "create"  # 8 in 8
once_word: "demo"  # 0 in 0
once_word: "export"  # 0 in 0
once_word: "init"  # 775 in 345
once_word: "onnx"  # 0 in 0
once_word: "register"  # 10 in 9
once_word: "setup"  # 17 in 14
once_word: "test"  # 30 in 29

# Of a method, names what a run does once.
making_word: "convert"  # 1 in 1
making_word: "download"  # 0 in 0
making_word: "fit"  # 28 in 21
making_word: "fold"  # 0 in 0
making_word: "initialise"  # 0 in 0
making_word: "initialised"  # 0 in 0
making_word: "initialize"  # 2 in 2
making_word: "initialized"  # 2 in 2
making_word: "load"  # 27 in 26
making_word: "make"  # 31 in 30
making_word: "parse"  # 16 in 15
making_word: "prepare"  # 8 in 8
making_word: "quantise"  # 0 in 0
making_word: "quantize"  # 1 in 1
making_word: "resize"  # 0 in 0
making_word: "set"  # 24 in 22
making_word: "split"  # 6 in 6
making_word: "warm"  # 0 in 0
making_word: "warmup"  # 3 in 3

# ---- methods that somebody's loop calls ----

# Begins the name of a method that a framework calls.
hook: "before_*"  # 37 in 6
hook: "after_*"  # 63 in 8
hook: "on_*"  # 139 in 27

# A hook with such a word is called in each turn.
hook_of_turns: "*iter*"  # 1141 in 157
hook_of_turns: "*batch*"  # 2179 in 279
hook_of_turns: "*step*"  # 1976 in 254
hook_of_turns: "*forward*"  # 424 in 158
hook_of_turns: "*backward*"  # 308 in 164
hook_of_turns: "*update*"  # 504 in 137
hook_of_turns: "*loss*"  # 2921 in 238

# A hook at the start or end of a run.
hook_of_run: "*fit_start"  # 7 in 4
hook_of_run: "*fit_end"  # 6 in 4
hook_of_run: "*fit_begin"  # 0 in 0
hook_of_run: "*train_start"  # 5 in 3
hook_of_run: "*train_begin"  # 5 in 4
hook_of_run: "*train_end"  # 6 in 5
hook_of_run: "*training_start"  # 0 in 0
hook_of_run: "*training_begin"  # 0 in 0
hook_of_run: "*training_end"  # 0 in 0
hook_of_run: "*_run"  # 101 in 13
hook_of_run: "*_fit"  # 82 in 13
hook_of_run: "*_train"  # 285 in 66
hook_of_run: "*_training"  # 26 in 15

# A method of a step.
step_method: "*_step"  # 306 in 67

# A method of a training step.
training_method: "*train_step"  # 14 in 8
training_method: "*training_step"  # 12 in 10

# Text for people, which nobody calls in a run.
describing_method: "extra_repr"  # 0 in 0

# Of a preparing class, works with what a model made.
showing_method: "post*"  # 67 in 22
showing_method: "visualize*"  # 5 in 3

# A class that prepares inputs on the CPU unless it is asked for a GPU.
preparing_class: "*ImageProcessor*"  # 0 in 0
preparing_class: "*VideoProcessor*"  # 0 in 0
preparing_class: "*FeatureExtractor*"  # 0 in 0

# ---- conditions, and what decorates ----

# A parameter that counts turns.
turn_parameter: "batch_idx"  # 73 in 22
turn_parameter: "step"  # 783 in 204
turn_parameter: "global_step"  # 81 in 15

# How many parts or dimensions something has.
length_attribute: "len"  # 785 in 254
length_attribute: "dim"  # 783 in 144
length_attribute: "ndim"  # 18 in 14
length_attribute: "ndimension"  # 0 in 0

# What compares equal to 0 where a batch is empty.
size_attribute: "size"  # 671 in 181
size_attribute: "numel"  # 56 in 37
size_attribute: "nelement"  # 5 in 4
size_attribute: "len"  # 781 in 251
size_attribute: "shape"  # 593 in 161

# The number of a process among several.
rank: "*rank*"  # 125 in 28

# True on one process alone.
first_rank_flag: "*main_process*"  # 13 in 5
first_rank_flag: "*is_master*"  # 2 in 1
first_rank_flag: "*rank_zero*"  # 0 in 0

# True for what seldom happens.
rare_test: "isnan"  # 17 in 15
rare_test: "isinf"  # 2 in 2

# False for what seldom happens.
usual_test: "isfinite"  # 13 in 12

# A switch that a run has off.
debug_flag: "debug"  # 5 in 4
debug_flag: "DEBUG"  # 2 in 2
debug_flag: "verbose_debug"  # 0 in 0

# A call that is true where several processes train.
several_test: "is_initialized"  # 4 in 4
several_test: "*is_distributed"  # 0 in 0
several_test: "*is_dist_*"  # 9 in 2

# True where several processes train.
several_flag: "*distributed"  # 21 in 8
several_flag: "use_ddp*"  # 0 in 0

# How many processes train, or GPUs there are: one, unless somebody has more.
process_count: "*world_size"  # 20 in 6
process_count: "nranks"  # 0 in 0
process_count: "device_count"  # 0 in 0

# A variable of the environment that what starts processes sets, or the machine.
launched_variable: "*RANK*"  # 7 in 4
launched_variable: "*WORLD_SIZE*"  # 3 in 3
launched_variable: "*_DEVICES"  # 4 in 3
launched_variable: "*CUDA*"  # 11 in 7
launched_variable: "SLURM_*"  # 0 in 0
launched_variable: "MASTER_*"  # 4 in 2
launched_variable: "ACCELERATE_*"  # 0 in 0

# A package that finds a GPU by itself and moves models there.
placing_module: "accelerate"  # 5 in 4
placing_module: "accelerate.*"  # 5 in 4
placing_module: "deepspeed"  # 0 in 0
placing_module: "deepspeed.*"  # 0 in 0
placing_module: "lightning"  # 5 in 3
placing_module: "lightning.*"  # 5 in 3
placing_module: "pytorch_lightning"  # 17 in 12
placing_module: "pytorch_lightning.*"  # 17 in 12
placing_module: "lightning_fabric"  # 0 in 0
placing_module: "transformers"  # 14 in 13
placing_module: "transformers.*"  # 14 in 13
placing_module: "fastai"  # 0 in 0
placing_module: "fastai.*"  # 0 in 0
placing_module: "ignite"  # 26 in 1
placing_module: "ignite.*"  # 26 in 1
placing_module: "mmengine"  # 0 in 0
placing_module: "mmengine.*"  # 0 in 0
placing_module: "skorch"  # 10 in 1
placing_module: "stable_baselines3"  # 0 in 0
placing_module: "composer"  # 0 in 0
placing_module: "colossalai"  # 0 in 0

# A class of settings: what its fields are by default, they are.
settings_class: "*Config"  # 233 in 48
settings_class: "*Configuration"  # 0 in 0
settings_class: "*Cfg"  # 0 in 0
settings_class: "*Args"  # 21 in 7
settings_class: "*Arguments"  # 15 in 5
settings_class: "*Options"  # 0 in 0
settings_class: "*Settings"  # 0 in 0
settings_class: "*HParams"  # 0 in 0

# The class of what a parser of the command line gives.
options_class: "argparse.Namespace"  # 6 in 4

# Declares an option of the command line: above a function, or as a parameter's default.
option_call: "option"  # 3 in 2
option_call: "Option"  # 0 in 0
option_call: "argument"  # 0 in 0
option_call: "Argument"  # 0 in 0

# Defines an option of the program: its first argument is the name, its second the default.
option_definition: "DEFINE_*"  # 0 in 0

# Says of an option that it is a flag, off by default.
option_flag: "is_flag"  # 0 in 0

# Says of an option that what it is by default is not to be seen there.
option_unknown: "required"  # 0 in 0
option_unknown: "flag_value"  # 0 in 0
option_unknown: "count"  # 175 in 51
option_unknown: "multiple"  # 0 in 0
option_unknown: "default_factory"  # 8 in 6

# Holds what the command line gives.
options_name: "args"  # 2355 in 160
options_name: "*_args"  # 166 in 106
options_name: "opt"  # 415 in 47
options_name: "opts"  # 113 in 10
options_name: "options"  # 237 in 48
options_name: "flags"  # 5 in 1
options_name: "FLAGS"  # 0 in 0
options_name: "params"  # 150 in 46
options_name: "cfg"  # 848 in 47
options_name: "config"  # 235 in 36
options_name: "conf"  # 31 in 7
options_name: "hparams"  # 55 in 18
options_name: "hps"  # 0 in 0

# Reads or joins files of settings.
settings_module: "yaml"  # 0 in 0
settings_module: "toml"  # 0 in 0
settings_module: "tomli"  # 0 in 0
settings_module: "tomllib"  # 0 in 0
settings_module: "OmegaConf"  # 0 in 0

# Raises when its first argument is false.
asserting_call: "_assert"  # 0 in 0

# Says that something is wrong, which seldom is so where a condition is asked first.
warning_call: "warn"  # 0 in 0
warning_call: "warning"  # 0 in 0
warning_call: "warn_once"  # 0 in 0
warning_call: "warning_once"  # 0 in 0
warning_call: "error"  # 0 in 0
warning_call: "critical"  # 0 in 0

# Decorators of such a module compile: no line of the body runs in Python.
compiling_module: "numba"  # 0 in 0
compiling_module: "numba.*"  # 0 in 0
compiling_module: "triton"  # 0 in 0
compiling_module: "triton.*"  # 0 in 0
compiling_module: "warp"  # 2 in 1
compiling_module: "warp.*"  # 2 in 1
compiling_module: "taichi"  # 0 in 0
compiling_module: "taichi.*"  # 0 in 0

# Makes one graph of a function, tensors made of numbers constants of it (github.com/pytorch/pytorch/issues/147405).
tracing_decorator: "torch.compile"  # 0 in 0
tracing_decorator: "torch._dynamo.optimize"  # 0 in 0

# Keeps a function's results by its arguments.
memoising_decorator: "*lru_cache"  # 0 in 0
memoising_decorator: "cache"  # 48 in 8

# Keeps a method's result for its object.
cached_property: "*cached_property"  # 0 in 0

# ---- files and folders ----

# A file of tests.
test_file: "test_*.py"  # 0 in 0
test_file: "*_test.py"  # 0 in 0
test_file: "conftest.py"  # 0 in 0
test_file: "tests.py"  # 0 in 0
test_file: "tests_*.py"  # 0 in 0

# Of a function without parameters: a test of its own file, run when that is started.
self_test: "_test"  # 0 in 0
self_test: "_test_*"  # 0 in 0
self_test: "_self_test"  # 0 in 0

# Code for samples: often run on the CPU, before a batch is moved.
transforms_folder: "*transform*"  # 21 in 11
transforms_folder: "*preprocess*"  # 0 in 0
transforms_folder: "*augment*"  # 4 in 3

# Code for data: what a loader makes a batch of.
data_folder: "augmentation"  # 0 in 0
data_folder: "augmentations"  # 0 in 0
data_folder: "collate"  # 0 in 0
data_folder: "collation"  # 0 in 0
data_folder: "collator"  # 0 in 0
data_folder: "collators"  # 0 in 0
data_folder: "data"  # 33 in 33
data_folder: "data_loader"  # 3 in 3
data_folder: "data_loaders"  # 1 in 1
data_folder: "data_utils"  # 1 in 1
data_folder: "dataloader"  # 1 in 1
data_folder: "dataloaders"  # 2 in 2
data_folder: "dataloading"  # 0 in 0
data_folder: "datamodule"  # 1 in 1
data_folder: "datamodules"  # 0 in 0
data_folder: "dataset"  # 9 in 9
data_folder: "datasets"  # 7 in 7
data_folder: "featurizer"  # 0 in 0
data_folder: "featurization"  # 0 in 0
data_folder: "featurizers"  # 0 in 0

# Code that computes with it.
model_folder: "envs"  # 5 in 5
model_folder: "layers"  # 1 in 1
model_folder: "model"  # 26 in 25
model_folder: "models"  # 44 in 44
model_folder: "modules"  # 4 in 4
model_folder: "networks"  # 4 in 4
model_folder: "nn"  # 5 in 5
model_folder: "write"  # 0 in 0
model_folder: "replay_buffers"  # 0 in 0

# Code beside the program: what it was, tries, shows or measures. Its findings stand behind others (report/worth.def).
side_folder: "legacy"  # 0 in 0
side_folder: "deprecated"  # 0 in 0
side_folder: "experimental"  # 0 in 0
side_folder: "benchmark*"  # 0 in 0
side_folder: "example"  # 0 in 0
side_folder: "examples"  # 0 in 0
side_folder: "*_examples"  # 0 in 0
side_folder: "demo"  # 0 in 0
side_folder: "demos"  # 0 in 0
side_folder: "tutorial"  # 0 in 0
side_folder: "tutorials"  # 0 in 0
side_folder: "*_tutorial"  # 0 in 0
side_folder: "doc"  # 0 in 0
side_folder: "docs"  # 0 in 0
side_folder: "test"  # 1 in 1
side_folder: "tests"  # 0 in 0
side_folder: "testing"  # 0 in 0
side_folder: "test_utils"  # 0 in 0

# ---- methods and attributes of tensors and modules ----

# Loads a state that was saved.
restoring_method: "load_state_dict"  # 101 in 58

# Moves a module or tensor to a device.
moving_method: "cuda"  # 745 in 233
moving_method: "to"  # 983 in 211

# Goes over the parts of a module.
parts_method: "modules"  # 51 in 23
parts_method: "named_modules"  # 3 in 3
parts_method: "children"  # 2 in 2
parts_method: "named_children"  # 2 in 2
parts_method: "parameters"  # 503 in 190
parts_method: "named_parameters"  # 48 in 27
parts_method: "buffers"  # 5 in 3
parts_method: "named_buffers"  # 2 in 2

# Overwrites a tensor in place.
filling_method: "copy_"  # 26 in 17
filling_method: "fill_"  # 19 in 16

# The tensor itself, without its gradient.
data_attribute: "data"  # 1094 in 228

# Makes a device of its argument.
device_constructor: "device"  # 4201 in 273

# Begins a backward pass.
backward_method: "backward"  # 289 in 160

# Scales a loss before its backward pass.
scaling_method: "scale"  # 134 in 58

# What is asked so is a tensor, and is computed with.
computing_method: "detach"  # 218 in 110
computing_method: "requires_grad_"  # 49 in 22
computing_method: "softmax"  # 82 in 52
computing_method: "log_softmax"  # 25 in 19
computing_method: "masked_fill"  # 21 in 15
computing_method: "scatter_"  # 3 in 3
computing_method: "neg"  # 23 in 6
computing_method: "mul_"  # 22 in 19
computing_method: "add_"  # 18 in 15
computing_method: "sub_"  # 2 in 2
computing_method: "div_"  # 4 in 4
computing_method: "clamp_"  # 12 in 9
computing_method: "zero_"  # 14 in 11
computing_method: "fill_"  # 19 in 16
computing_method: "addcmul_"  # 0 in 0
computing_method: "new_zeros"  # 17 in 10
computing_method: "new_empty"  # 3 in 3
computing_method: "new_ones"  # 3 in 3
computing_method: "new_full"  # 2 in 2
computing_method: "new_tensor"  # 4 in 2
computing_method: "clone"  # 61 in 41
computing_method: "view_as"  # 7 in 7
computing_method: "expand_as"  # 21 in 19
computing_method: "type_as"  # 15 in 9
computing_method: "reciprocal"  # 0 in 0

# What is asked so is a tensor, or as often an array or a record.
tensor_method: "unsqueeze"  # 133 in 60
tensor_method: "permute"  # 69 in 34
tensor_method: "contiguous"  # 42 in 28
tensor_method: "gather"  # 40 in 26
tensor_method: "numel"  # 56 in 37
tensor_method: "expand"  # 54 in 30

# What is asked so is a module.
module_method: "train"  # 498 in 167
module_method: "eval"  # 207 in 133
module_method: "parameters"  # 503 in 190
module_method: "named_parameters"  # 48 in 27

# What is asked so is an optimizer.
optimizer_method: "zero_grad"  # 259 in 155
optimizer_method: "step"  # 783 in 204

# What is asked so is read back.
reading_method: "item"  # 678 in 208
reading_method: "cpu"  # 371 in 203
reading_method: "tolist"  # 116 in 66

# What is asked so is a text.
text_method: "startswith"  # 27 in 17
text_method: "endswith"  # 11 in 10
text_method: "lower"  # 22 in 14
text_method: "upper"  # 9 in 4
text_method: "strip"  # 8 in 4
text_method: "rstrip"  # 2 in 2
text_method: "lstrip"  # 3 in 3
text_method: "rsplit"  # 3 in 1
text_method: "splitlines"  # 12 in 8
text_method: "encode"  # 44 in 22
text_method: "format"  # 284 in 99

# What it gives may be elsewhere, or no tensor.
leaving_method: "cpu"  # 371 in 203
leaving_method: "to"  # 983 in 211
leaving_method: "cuda"  # 745 in 233
leaving_method: "tolist"  # 116 in 66
leaving_method: "item"  # 678 in 208
leaving_method: "numpy"  # 365 in 210
leaving_method: "asarray"  # 20 in 10
leaving_method: "get"  # 92 in 55

# Gives an array.
array_method: "numpy"  # 365 in 210

# Gives a tensor on the CPU.
fetching_method: "cpu"  # 371 in 203

# Gives a tensor on the GPU.
sending_method: "cuda"  # 745 in 233

# Of what is only guessed to be a tensor, says that it is one.
sure_method: "item"  # 678 in 208
sure_method: "cpu"  # 371 in 203
sure_method: "detach"  # 218 in 110
sure_method: "backward"  # 289 in 160
sure_method: "tolist"  # 116 in 66
sure_method: "argmax"  # 95 in 66
sure_method: "softmax"  # 82 in 52
sure_method: "mean"  # 703 in 228
sure_method: "sum"  # 651 in 227
sure_method: "max"  # 337 in 175
sure_method: "float"  # 806 in 256
sure_method: "view"  # 252 in 99
sure_method: "size"  # 671 in 181
sure_method: "squeeze"  # 75 in 54
sure_method: "unsqueeze"  # 133 in 60
sure_method: "sigmoid"  # 34 in 25
sure_method: "numel"  # 56 in 37
sure_method: "cuda"  # 745 in 233
sure_method: "to"  # 983 in 211

# Of something unknown, says that it is a GPU tensor: likely.
gpu_method: "backward"  # 289 in 160
gpu_method: "cpu"  # 371 in 203

# Says so: possibly.
perhaps_gpu_method: "detach"  # 218 in 110
perhaps_gpu_method: "item"  # 678 in 208

# Of something unknown, says that it is a tensor, wherever it is: possibly.
perhaps_tensor_method: "requires_grad_"  # 49 in 22
perhaps_tensor_method: "unsqueeze"  # 133 in 60
perhaps_tensor_method: "masked_fill"  # 21 in 15
perhaps_tensor_method: "permute"  # 69 in 34
perhaps_tensor_method: "contiguous"  # 42 in 28
perhaps_tensor_method: "softmax"  # 82 in 52
perhaps_tensor_method: "log_softmax"  # 25 in 19
perhaps_tensor_method: "numel"  # 56 in 37
perhaps_tensor_method: "nonzero"  # 17 in 15
perhaps_tensor_method: "masked_select"  # 12 in 4

# Asks something that no tensor knows.
question: "is_*"  # 346 in 193
question: "has_*"  # 1 in 1

# Keeps a tensor in a module under a name.
registering_method: "register_buffer"  # 74 in 39
registering_method: "register_parameter"  # 2 in 2

# Keeps tensors for the backward pass.
saving_method: "save_for_backward"  # 3 in 3

# What it kept.
saved_attribute: "saved_tensors"  # 3 in 3

# Has the context of an operation, where its forward has none.
context_method: "setup_context"  # 0 in 0

# Registers a hook.
hooking_method: "register_*"  # 112 in 53

# Of something unknown, writes a log.
writing_method: "add_scalar*"  # 32 in 9
writing_method: "add_histogram*"  # 3 in 3

# What calling a module calls.
forward_method: "forward"  # 375 in 153

# Finds functions and methods by names from a configuration or the command line.
asking_by_name: "instantiate"  # 0 in 0
asking_by_name: "get_class"  # 0 in 0
asking_by_name: "get_method"  # 0 in 0
asking_by_name: "locate"  # 0 in 0
asking_by_name: "getmembers"  # 0 in 0
asking_by_name: "Fire"  # 0 in 0
asking_by_name: "*CLI"  # 0 in 0
asking_by_name: "exec"  # 0 in 0

# Runs its function without gradients.
gradless_decorator: "no_grad"  # 246 in 160
gradless_decorator: "inference_mode"  # 13 in 10

# What distributions alone are asked.
scoring_method: "log_prob"  # 22 in 9

# A program without this word has no distributions.
distributions_word: "distributions"  # 47 in 17

# Gives the module that it is asked of.
keeping_method: "to"  # 983 in 211
keeping_method: "cuda"  # 745 in 233
keeping_method: "eval"  # 207 in 133
keeping_method: "train"  # 498 in 167
keeping_method: "float"  # 806 in 256
keeping_method: "half"  # 26 in 7
keeping_method: "bfloat16"  # 17 in 10

# Where it stands, what is given back may be elsewhere.
placing_word: "to"  # 983 in 211
placing_word: "cuda"  # 745 in 233
placing_word: "device"  # 4201 in 273

# Its first argument names a device.
placing_call: "to"  # 983 in 211
placing_call: "device"  # 4201 in 273

# Moves a record of tensors.
record_moving_method: "to"  # 983 in 211
record_moving_method: "cuda"  # 745 in 233
record_moving_method: "to_device"  # 16 in 6
record_moving_method: "move_to"  # 12 in 4

# Goes over the state of a module.
state_method: "parameters"  # 503 in 190
state_method: "named_parameters"  # 48 in 27
state_method: "buffers"  # 5 in 3
state_method: "named_buffers"  # 2 in 2
state_method: "state_dict"  # 255 in 101
state_method: "modules"  # 51 in 23

# Makes a parameter.
parameter_call: "Parameter"  # 115 in 48

# Asks whether a tensor is pinned.
pinned_test: "is_pinned"  # 0 in 0

# Asks whether something is a tensor.
tensor_test: "is_tensor"  # 13 in 9

# A shape, of arrays and tensors.
shape_attribute: "shape"  # 593 in 161
shape_attribute: "ndim"  # 18 in 14

# A dtype, of tensors and as a parameter.
dtype_name: "dtype"  # 400 in 166

# A number, of batches and graphs.
count_attribute: "batch_size"  # 629 in 179
count_attribute: "batch_dims"  # 0 in 0
count_attribute: "num_nodes"  # 12 in 2
count_attribute: "num_edges"  # 0 in 0
count_attribute: "num_graphs"  # 14 in 6

# What models give and nothing else has.
output_attribute: "logits"  # 368 in 68
output_attribute: "*_logits"  # 101 in 26
output_attribute: "last_hidden_state"  # 1 in 1
output_attribute: "pooler_output"  # 0 in 0

# What is called below such a name computes with its first argument.
computing_root: "torch"  # 6006 in 433
computing_root: "F"  # 537 in 125
computing_root: "nn"  # 2923 in 284
computing_root: "self"  # 13286 in 358

# Names a dimension of a tensor, which arrays call an axis.
dim_keyword: "dim"  # 783 in 144

# Packs padded sequences.
packing_call: "pack_padded_sequence"  # 6 in 3

# Takes their lengths.
lengths_parameter: "lengths"  # 56 in 14

# Its arguments are sizes.
shape_call: "range"  # 1052 in 310
shape_call: "view"  # 252 in 99
shape_call: "reshape"  # 151 in 64
shape_call: "expand"  # 54 in 30
shape_call: "arange"  # 160 in 98
shape_call: "zeros"  # 315 in 153
shape_call: "ones"  # 102 in 69
shape_call: "empty"  # 25 in 11
shape_call: "randn"  # 305 in 106
shape_call: "repeat"  # 62 in 31
shape_call: "rand"  # 378 in 98
shape_call: "full"  # 56 in 39
shape_call: "new_zeros"  # 17 in 10
shape_call: "new_ones"  # 3 in 3
shape_call: "new_empty"  # 3 in 3

# Its arguments after the first are sizes, paddings or probabilities.
shaping_call: "pad"  # 93 in 25
shaping_call: "interpolate"  # 17 in 11
shaping_call: "dropout"  # 198 in 39
shaping_call: "unfold"  # 1 in 1
shaping_call: "fold"  # 15 in 2
shaping_call: "roll"  # 1 in 1
shaping_call: "split"  # 185 in 71
shaping_call: "chunk"  # 52 in 22
shaping_call: "tile"  # 8 in 5
shaping_call: "adaptive_avg_pool1d"  # 1 in 1
shaping_call: "adaptive_avg_pool2d"  # 4 in 4
shaping_call: "adaptive_max_pool2d"  # 0 in 0
shaping_call: "avg_pool2d"  # 0 in 0
shaping_call: "max_pool2d"  # 7 in 3

# ---- what a value read from the GPU is used for ----

# Needs it now: its arguments are sizes.
sizing_call: "range"  # 1052 in 310
sizing_call: "zeros"  # 315 in 153
sizing_call: "ones"  # 102 in 69
sizing_call: "empty"  # 25 in 11
sizing_call: "full"  # 56 in 39
sizing_call: "rand"  # 413 in 114
sizing_call: "randn"  # 329 in 118
sizing_call: "new_zeros"  # 19 in 12
sizing_call: "new_ones"  # 3 in 3
sizing_call: "new_empty"  # 3 in 3
sizing_call: "Size"  # 7 in 4
sizing_call: "arange"  # 160 in 98
sizing_call: "view"  # 252 in 99
sizing_call: "reshape"  # 151 in 64
sizing_call: "expand"  # 54 in 30
sizing_call: "split"  # 185 in 71
sizing_call: "repeat"  # 62 in 31
sizing_call: "narrow"  # 4 in 3
sizing_call: "topk"  # 79 in 36

# Wants it later: it is put into a list or a meter.
keeping_call: "append"  # 617 in 227
keeping_call: "update"  # 283 in 108
keeping_call: "extend"  # 16 in 14
keeping_call: "add"  # 36 in 24

# Wants it only where debug messages are shown: a run has them off.
debugging_call: "debug"  # 5 in 4

# Wants it later: it is shown.
logging_call: "print"  # 1102 in 213
logging_call: "log"  # 197 in 79
logging_call: "info"  # 172 in 52
logging_call: "debug"  # 5 in 4
logging_call: "warning"  # 5 in 4
logging_call: "add_scalar"  # 31 in 9
logging_call: "add_scalars"  # 1 in 1
logging_call: "add_histogram"  # 3 in 3
logging_call: "add_image"  # 2 in 2
logging_call: "add_images"  # 1 in 1
logging_call: "add_figure"  # 0 in 0
logging_call: "log_dict"  # 19 in 6
logging_call: "set_postfix"  # 12 in 8
logging_call: "format"  # 284 in 99
logging_call: "write"  # 70 in 40
logging_call: "set_description"  # 9 in 6
logging_call: "log_metrics"  # 11 in 4

# Makes a tensor of sizes and numbers, on any device.
creating_call: "zeros"  # 315 in 153
creating_call: "ones"  # 102 in 69
creating_call: "empty"  # 25 in 11
creating_call: "full"  # 56 in 39
creating_call: "eye"  # 41 in 21
creating_call: "arange"  # 160 in 98
creating_call: "linspace"  # 60 in 32
creating_call: "logspace"  # 0 in 0
creating_call: "rand"  # 378 in 98
creating_call: "randn"  # 305 in 106
creating_call: "randint"  # 360 in 127
creating_call: "randperm"  # 15 in 14
creating_call: "tril_indices"  # 0 in 0
creating_call: "triu_indices"  # 0 in 0

# Makes a tensor of what the host has.
wrapping_call: "from_numpy"  # 114 in 54
wrapping_call: "tensor"  # 338 in 117
wrapping_call: "as_tensor"  # 15 in 12
wrapping_call: "Tensor"  # 125 in 36
wrapping_call: "FloatTensor"  # 13 in 8
wrapping_call: "LongTensor"  # 21 in 10

# Writes it into a file.
saving_call: "save"  # 161 in 112
saving_call: "dump"  # 24 in 21
saving_call: "imwrite"  # 0 in 0
saving_call: "save_*"  # 243 in 90

# Needs it now, where it is called on an environment: it acts by its arguments.
acting_call: "step"  # 783 in 204

# An environment of reinforcement learning: it lives on the host.
environment: "env"  # 185 in 15
environment: "envs"  # 36 in 8
environment: "*_env"  # 53 in 10
environment: "*_envs"  # 56 in 7
environment: "environment"  # 0 in 0

# Makes few numbers of many: those that a mask leaves out can be made to count nothing.
reducing_call: "mean"  # 703 in 228
reducing_call: "sum"  # 651 in 227
reducing_call: "nanmean"  # 2 in 1
reducing_call: "nansum"  # 0 in 0

# Makes of each element one: what is picked before it may be picked behind it.
elementwise_call: "abs"  # 108 in 63
elementwise_call: "square"  # 27 in 16
elementwise_call: "pow"  # 45 in 28
elementwise_call: "sqrt"  # 83 in 52
elementwise_call: "exp"  # 123 in 77
elementwise_call: "log"  # 197 in 79
elementwise_call: "log1p"  # 4 in 3
elementwise_call: "clamp"  # 109 in 65
elementwise_call: "float"  # 806 in 256
elementwise_call: "neg"  # 23 in 6
elementwise_call: "relu"  # 81 in 42
elementwise_call: "sigmoid"  # 34 in 25
elementwise_call: "softplus"  # 14 in 8
elementwise_call: "tanh"  # 26 in 19

# Whether any element is true: what a mask without one would do is nothing.
guarding_call: "any"  # 46 in 33

# ---- annotations ----

# A type of tensors that says their shape.
shaped_type: "jaxtyping.*"  # 0 in 0

# An annotation of a tensor type and its shape.
shaped_annotation: "Float"  # 0 in 0
shaped_annotation: "Int"  # 0 in 0
shaped_annotation: "Bool"  # 0 in 0

# An annotation of a tuple.
tuple_type: "tuple"  # 54 in 40
tuple_type: "Tuple"  # 17 in 6

# An annotation of a list, or what is iterated like one.
list_type: "list"  # 180 in 114
list_type: "List"  # 28 in 10
list_type: "Sequence"  # 0 in 0
list_type: "Iterable"  # 6 in 3
list_type: "Iterator"  # 4 in 2
list_type: "Generator"  # 47 in 28

# An annotation of a set.
set_type: "set"  # 44 in 26

# An annotation of a dict.
dict_type: "dict"  # 275 in 77
dict_type: "Dict"  # 31 in 9
dict_type: "Mapping"  # 2 in 1

# An annotation of a container and no tensor.
container_type: "tuple"  # 54 in 40
container_type: "Tuple"  # 17 in 6
container_type: "list"  # 180 in 114
container_type: "List"  # 28 in 10
container_type: "dict"  # 275 in 77
container_type: "Dict"  # 31 in 9
container_type: "Mapping"  # 2 in 1
container_type: "Sequence"  # 0 in 0

# ---- parameters and variables ----

# A loader, wherever it is kept.
kept_loader: "*dataloader"  # 87 in 29
kept_loader: "*data_loader"  # 83 in 16
kept_loader: "*train_loader"  # 110 in 38
kept_loader: "*val_loader"  # 57 in 22
kept_loader: "*valid_loader"  # 12 in 3
kept_loader: "*test_loader"  # 66 in 22
kept_loader: "*eval_loader"  # 2 in 1
kept_loader: "*_dl"  # 30 in 6

# A loader where it is iterated.
iterated_loader: "*loader"  # 768 in 124

# What a model gave, and what it is compared with.
output_name: "pred_*"  # 94 in 25
output_name: "gt_*"  # 53 in 12
output_name: "student_*"  # 3 in 1
output_name: "teacher_*"  # 11 in 2
output_name: "*logits"  # 471 in 82
output_name: "*probs"  # 144 in 26
output_name: "*preds"  # 94 in 16
output_name: "*embeddings"  # 87 in 22

# A module where it is called.
called_module: "*model"  # 2903 in 244
called_module: "*net"  # 679 in 90
called_module: "*criterion"  # 270 in 49
called_module: "*loss_fn"  # 35 in 11
called_module: "*encoder"  # 115 in 34
called_module: "*decoder"  # 50 in 16

# An optimizer where it is asked what optimizers are.
optimizer_name: "*optimizer"  # 1118 in 173
optimizer_name: "*optim"  # 467 in 163
optimizer_name: "*opt"  # 514 in 52
optimizer_name: "optimizer_*"  # 32 in 14
optimizer_name: "optim_*"  # 11 in 8
optimizer_name: "opt_*"  # 60 in 8

# An index of flags.
mask_name: "*mask"  # 573 in 88

# Settings on the host.
settings_name: "*cfg"  # 884 in 56
settings_name: "*config"  # 298 in 52
settings_name: "*configs"  # 42 in 7
settings_name: "*hparams"  # 58 in 18
settings_name: "*settings"  # 7 in 2

# A tensor on the CPU.
host_parameter: "cpu_*"  # 5 in 2
host_parameter: "*_cpu"  # 28 in 11
host_parameter: "batch_sizes"  # 0 in 0

# A function of tensors on the CPU.
host_function: "*_cpu"  # 28 in 11

# But for one that takes them there.
fetching_function: "*to_cpu"  # 0 in 0

# A module of such functions.
host_module: "*.cpu.*"  # 371 in 203
host_module: "*.cpu"  # 371 in 203

# Of what runs a backward pass, takes the loss.
loss_parameter: "loss"  # 1183 in 186
loss_parameter: "tensor"  # 338 in 117

# A dtype.
dtype_parameter: "*dtype"  # 412 in 166

# Takes a shape.
size_parameter: "size"  # 671 in 181

# Hands out models on the GPU.
accelerator_variable: "accelerator"  # 78 in 13

# What it does so by.
preparing_method: "prepare"  # 17 in 9

# Makes numbers of texts, and texts of numbers.
tokenizer: "*tokenizer"  # 69 in 15
tokenizer: "*processor"  # 16 in 4

# Such a one of other things than texts.
other_tokenizer: "audio_*"  # 2 in 1
other_tokenizer: "speech_*"  # 0 in 0
other_tokenizer: "image_*"  # 112 in 29
other_tokenizer: "video_*"  # 10 in 1
other_tokenizer: "vq_*"  # 0 in 0
other_tokenizer: "action_*"  # 54 in 10

# Gives the text.
decoding_method: "decode"  # 56 in 27
decoding_method: "batch_decode"  # 0 in 0
decoding_method: "convert_ids_to_tokens"  # 0 in 0

# Gives the numbers.
generating_method: "generate"  # 29 in 19

# Which nothing else takes.
generating_parameter: "max_new_tokens"  # 19 in 7
generating_parameter: "max_length"  # 21 in 7
generating_parameter: "num_beams"  # 3 in 1
generating_parameter: "do_sample"  # 8 in 3
generating_parameter: "generation_config"  # 0 in 0
generating_parameter: "pad_token_id"  # 15 in 7

# What only tokenizers and processors take.
tensors_parameter: "return_tensors"  # 0 in 0

# With which they give tensors.
torch_tensors: "pt"  # 10 in 5

# ---- options that objects carry along ----

# True, it spares a wait.
sparing_option: "fused"  # 5 in 4

# False, it spares a wait.
asking_option: "validate_args"  # 2 in 2
asking_option: "enabled"  # 29 in 17

# Spares a wait by a word.
choosing_option: "nan_strategy"  # 0 in 0

# That word.
sparing_choice: "disable"  # 15 in 10

# True, what is given is pinned.
pinning_option: "pin_memory"  # 64 in 47

# How many workers load the data.
workers_parameter: "num_workers"  # 97 in 50

# The function that makes a batch of rows.
collate_parameter: "collate_fn"  # 61 in 26

# What a loader loads.
dataset_parameter: "dataset"  # 186 in 62

# ---- devices ----

# The device of the run, a GPU, as a parameter and a keyword.
device_name: "device"  # 4201 in 273

# The device of the run, as an attribute.
device_attribute: "device"  # 4201 in 273
device_attribute: "_device"  # 3 in 1
device_attribute: "DEVICE"  # 18 in 4

# The CPU.
host_device_name: "cpu_device"  # 0 in 0

# A text that names a GPU.
gpu_place: "cuda*"  # 766 in 235

# A text that names the CPU.
cpu_place: "cpu"  # 371 in 203

# A text that names the CPU, or what is no GPU of ours.
host_place: "cpu"  # 371 in 203
host_place: "tpu"  # 0 in 0
host_place: "xla"  # 0 in 0

# A text that names the CPU before anything else.
host_text: "cpu*"  # 379 in 203

# Talks between GPUs.
gpu_backend: "nccl"  # 3 in 3

# Talks between hosts.
host_backend: "gloo"  # 0 in 0

# Another accelerator: the GPU of a program that names no CUDA.
accelerator: "mps"  # 0 in 0
accelerator: "xpu"  # 0 in 0
accelerator: "npu"  # 0 in 0
accelerator: "hpu"  # 0 in 0
accelerator: "mlu"  # 0 in 0
accelerator: "musa"  # 0 in 0

# A program that has one of these words names CUDA.
cuda_mention: "cuda"  # 745 in 233
cuda_mention: "cuda:0"  # 17 in 17
cuda_mention: "Accelerator"  # 8 in 4

# The number of a GPU.
gpu_number: "gpu"  # 77 in 17
gpu_number: "gpu_id"  # 1 in 1
gpu_number: "gpu_index"  # 2 in 1
gpu_number: "local_rank"  # 9 in 2
gpu_number: "rank"  # 32 in 10
gpu_number: "device_id"  # 0 in 0
gpu_number: "cuda_id"  # 0 in 0

# Such numbers.
gpu_numbers: "gpus"  # 1 in 1
gpu_numbers: "gpu_ids"  # 25 in 4
gpu_numbers: "device_ids"  # 9 in 6

# Whether there is a GPU.
gpu_flag: "use_cuda"  # 33 in 9
gpu_flag: "cuda"  # 745 in 233
gpu_flag: "use_gpu"  # 8 in 5
gpu_flag: "gpu"  # 77 in 17
gpu_flag: "on_gpu"  # 0 in 0
gpu_flag: "has_cuda"  # 0 in 0
gpu_flag: "is_cuda"  # 6 in 5
gpu_flag: "has_gpu"  # 0 in 0

# Whether there is none.
host_flag: "no_cuda"  # 4 in 4
host_flag: "cpu"  # 371 in 203
host_flag: "is_cpu"  # 0 in 0
host_flag: "use_cpu"  # 0 in 0
host_flag: "no_gpu"  # 0 in 0
host_flag: "force_cpu"  # 0 in 0
host_flag: "cpu_only"  # 0 in 0

# ---- functions and classes of data and start-up ----

# Done once, unless it is a batch method.
setup_method: "export*"  # 4 in 2
setup_method: "download*"  # 1 in 1
setup_method: "initialize*"  # 10 in 6
setup_method: "setup*"  # 31 in 18
setup_method: "set_up*"  # 0 in 0

# Done for each batch.
batch_method: "*batch*"  # 2179 in 279
batch_method: "*hidden*"  # 519 in 75

# Done once of a whole model.
loading_method: "load*"  # 480 in 130
loading_method: "convert*"  # 8 in 5
loading_method: "quantize*"  # 4 in 2
loading_method: "init_*"  # 110 in 45

# What that is named by.
whole_model_method: "*model*"  # 3340 in 270
whole_model_method: "*weight*"  # 817 in 183
whole_model_method: "*checkpoint*"  # 238 in 63
whole_model_method: "*ckpt*"  # 84 in 24
whole_model_method: "*state_dict*"  # 385 in 108
whole_model_method: "*pretrained*"  # 13 in 8
whole_model_method: "*param*"  # 1205 in 234
whole_model_method: "*network*"  # 174 in 22
whole_model_method: "*adapter*"  # 3 in 2
whole_model_method: "*from_*"  # 209 in 97

# What it does is done before a batch leaves the CPU.
data_class: "*Dataset"  # 334 in 118
data_class: "*Collat*"  # 13 in 8

# So is what a class below it does.
dataset_class: "*Dataset"  # 334 in 118

# Makes a batch of rows.
collating_method: "collate*"  # 97 in 34
collating_method: "*collate_fn"  # 61 in 26

# A whole training.
fitting_method: "fit"  # 130 in 39
fitting_method: "fit_transform"  # 2 in 1

# A module that a build makes.
generated_module: "_*"  # 5387 in 473
generated_module: "version"  # 17 in 4
generated_module: "*_pb2"  # 0 in 0
generated_module: "*_pb2_grpc"  # 0 in 0

# A module or a name that PyTorch had once: a file whose body imports it runs with older versions only (--torch-version).
# Documented: release notes of 1.0 (ffi, legacy), 1.9 (zero_gradients) and 2.0 (_six).
removed_import: "torch._six"  # 0 in 0
removed_import: "torch.utils.ffi"  # 0 in 0
removed_import: "torch.legacy"  # 0 in 0
removed_import: "torch.autograd.gradcheck.zero_gradients"  # 0 in 0

# Bound where a file runs, though no file binds it.
interpreter_name: "Ellipsis"  # 0 in 0
interpreter_name: "NotImplemented"  # 0 in 0
interpreter_name: "anext"  # 0 in 0
interpreter_name: "apply"  # 24 in 15
interpreter_name: "basestring"  # 0 in 0
interpreter_name: "buffer"  # 32 in 8
interpreter_name: "classmethod"  # 4 in 4
interpreter_name: "cmp"  # 0 in 0
interpreter_name: "coerce"  # 0 in 0
interpreter_name: "copyright"  # 0 in 0
interpreter_name: "credits"  # 0 in 0
interpreter_name: "display"  # 5 in 2
interpreter_name: "execfile"  # 0 in 0
interpreter_name: "file"  # 69 in 14
interpreter_name: "get_ipython"  # 0 in 0
interpreter_name: "intern"  # 0 in 0
interpreter_name: "license"  # 0 in 0
interpreter_name: "long"  # 131 in 79
interpreter_name: "profile"  # 4 in 2
interpreter_name: "property"  # 55 in 34
interpreter_name: "raw_input"  # 0 in 0
interpreter_name: "reload"  # 0 in 0
interpreter_name: "reveal_type"  # 0 in 0
interpreter_name: "staticmethod"  # 25 in 12
interpreter_name: "super"  # 406 in 185
interpreter_name: "unichr"  # 0 in 0
interpreter_name: "unicode"  # 0 in 0
interpreter_name: "xrange"  # 0 in 0
interpreter_name: "*Error"  # 143 in 81
interpreter_name: "*Warning"  # 0 in 0
interpreter_name: "*Exception"  # 196 in 52
interpreter_name: "*Exit"  # 0 in 0
interpreter_name: "*Iteration"  # 8 in 6
interpreter_name: "*Interrupt"  # 4 in 4
interpreter_name: "*Group"  # 4 in 2
