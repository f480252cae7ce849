# What names suggest: `word: "pattern"`, the words of analyzer/rulebook/conventions.def, patterns with one star or `*part*`.
# Behind each row: how many names of the judged programs fit, and in how many of their files; python3
# tests/truth/count_conventions.py writes it. It is the name that is counted, not what was concluded from it.
# rules/FORMAT.md says more.
# conventions

# ---- classes that the analysis itself knows values of ----

# The class of tensors.
tensor_class: "torch.Tensor"  # 210 in 49

# The class of modules.
module_class: "torch.nn.Module"  # 430 in 184

# The class of optimizers.
optimizer_class: "torch.optim.Optimizer"  # 15 in 8

# The class of loaders.
loader_class: "torch.utils.data.DataLoader"  # 308 in 114

# The class of NumPy's arrays.
array_class: "numpy.ndarray"  # 18 in 8

# The class of NumPy's scalars.
array_scalar_class: "numpy.generic"  # 0 in 0

# The class of parameters.
parameter_class: "torch.nn.Parameter"  # 129 in 56

# A module that calls its parts in turn.
sequential_class: "torch.nn.Sequential"  # 284 in 132

# A list of modules.
module_list_class: "torch.nn.ModuleList"  # 92 in 50

# A dict of modules.
module_dict_class: "torch.nn.ModuleDict"  # 5 in 5

# An operation with a backward of its own.
operation_class: "torch.autograd.Function"  # 6 in 4

# What runs its forward.
operation_call: "torch.autograd.Function.apply"  # 30 in 19

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
device_class: "torch.device"  # 4631 in 327

# The module of Python's built-in names.
builtins_module: "builtins"  # 1 in 1

# Texts.
str_class: "builtins.str"  # 324 in 130

# Bytes.
bytes_class: "builtins.bytes"  # 3 in 3

# Whole numbers.
int_class: "builtins.int"  # 1325 in 254

# Floating numbers.
float_class: "builtins.float"  # 1001 in 318

# Lists.
list_class: "builtins.list"  # 218 in 134

# Tuples.
tuple_class: "builtins.tuple"  # 71 in 51

# Dicts.
dict_class: "builtins.dict"  # 317 in 104

# Dicts that keep an order.
ordered_dict_class: "collections.OrderedDict"  # 28 in 12

# A class of numbers.
number_class: "builtins.int"  # 1325 in 254
number_class: "builtins.float"  # 1001 in 318
number_class: "builtins.bool"  # 94 in 68

# A class that all numbers of a kind are instances of.
abstract_number_class: "numbers.Number"  # 0 in 0
abstract_number_class: "numbers.Real"  # 0 in 0
abstract_number_class: "numbers.Integral"  # 0 in 0

# A class of texts.
text_class: "builtins.str"  # 324 in 130
text_class: "builtins.bytes"  # 3 in 3

# A class of containers.
container_class: "builtins.list"  # 218 in 134
container_class: "builtins.tuple"  # 71 in 51
container_class: "builtins.dict"  # 317 in 104
container_class: "builtins.set"  # 59 in 34

# Its instances are no tensors, arrays or records of a program unless those inherit it.
plain_class: "builtins.list"  # 218 in 134
plain_class: "builtins.tuple"  # 71 in 51
plain_class: "builtins.dict"  # 317 in 104
plain_class: "builtins.set"  # 59 in 34
plain_class: "builtins.str"  # 324 in 130
plain_class: "builtins.bytes"  # 3 in 3
plain_class: "builtins.int"  # 1325 in 254
plain_class: "builtins.float"  # 1001 in 318
plain_class: "builtins.bool"  # 94 in 68
plain_class: "numpy.ndarray"  # 18 in 8
plain_class: "builtins.slice"  # 17 in 8
plain_class: "PIL.Image.Image"  # 14 in 7

# An annotation that says nothing of a tensor.
plain_type: "builtins.*"  # 1 in 1
plain_type: "typing.*"  # 30 in 30

# A base class that only says something of a class.
saying_class: "typing.*"  # 30 in 30
saying_class: "abc.*"  # 4 in 4

# Makes a list.
list_like: "collections.deque"  # 33 in 10

# Makes a dict, perhaps one whose keys are attributes too.
dict_like: "collections.OrderedDict"  # 28 in 12
dict_like: "types.SimpleNamespace"  # 4 in 3
dict_like: "argparse.Namespace"  # 6 in 4
dict_like: "munch.Munch"  # 0 in 0
dict_like: "easydict.EasyDict"  # 0 in 0
dict_like: "addict.Dict"  # 31 in 9
dict_like: "box.Box"  # 9 in 4

# Keeps a function with some of its arguments.
partial_function: "functools.partial"  # 47 in 17

# Imports a module by its name.
import_function: "importlib.import_module"  # 7 in 6

# Functions that do what modules do.
functional_module: "torch.nn.functional"  # 218 in 186

# A function there that gives a loss.
loss_function: "*_loss"  # 851 in 156
loss_function: "*_with_logits"  # 11 in 10

# An API of the torch package.
torch_api: "torch.*"  # 6949 in 516

# A method of tensors.
tensor_api: "torch.Tensor.*"  # 210 in 49

# The torch package, or a module of it.
torch_module: "torch"  # 6949 in 516
torch_module: "torch.*"  # 6949 in 516

# Runs the __str__ or __repr__ of what it is given.
printing_call: "builtins.print"  # 1186 in 239
printing_call: "builtins.str"  # 324 in 130
printing_call: "builtins.repr"  # 0 in 0
printing_call: "builtins.format"  # 286 in 101
printing_call: "logging.*"  # 192 in 46

# An old name of a tensor type.
old_tensor_type: "torch.*Tensor"  # 259 in 70

# Such a one on the GPU.
old_gpu_type: "torch.cuda.*"  # 792 in 251

# ---- the words of a function's name, in snake case, of a function that nobody in sight calls ----

# Names the work of a batch, a step or a request: done for each of them, whoever asks.
work_word: "act"  # 6 in 5
work_word: "action"  # 7 in 7
work_word: "actions"  # 2 in 2
work_word: "batch"  # 65 in 51
work_word: "batched"  # 1 in 1
work_word: "detect"  # 2 in 2
work_word: "forward"  # 430 in 179
work_word: "forecast"  # 1 in 1
work_word: "infer"  # 2 in 2
work_word: "inference"  # 6 in 6
work_word: "loss"  # 62 in 45
work_word: "losses"  # 26 in 21
work_word: "metric"  # 3 in 3
work_word: "metrics"  # 26 in 19
work_word: "observe"  # 10 in 9
work_word: "predict"  # 15 in 12
work_word: "step"  # 115 in 60
work_word: "steps"  # 5 in 5

# Does so as the last word.
work_last_word: "compute"  # 29 in 19
work_last_word: "sample"  # 49 in 37
work_last_word: "update"  # 88 in 70

# As the first word names what is done for no step.
idle_first_word: "after"  # 50 in 7
idle_first_word: "before"  # 29 in 6
idle_first_word: "configure"  # 12 in 12
idle_first_word: "load"  # 28 in 27
idle_first_word: "make"  # 41 in 39
idle_first_word: "on"  # 103 in 24
idle_first_word: "reset"  # 42 in 35
idle_first_word: "set"  # 25 in 23
idle_first_word: "transform"  # 7 in 4

# As the first word names what evaluates, computes or samples: a backward pass there trains nothing.
evaluating_word: "eval"  # 16 in 11
evaluating_word: "evaluate"  # 37 in 34
evaluating_word: "evaluation"  # 0 in 0
evaluating_word: "forward"  # 430 in 179
evaluating_word: "infer"  # 2 in 2
evaluating_word: "predict"  # 15 in 12
evaluating_word: "sample"  # 49 in 37
evaluating_word: "test"  # 31 in 30
evaluating_word: "valid"  # 7 in 7
evaluating_word: "validate"  # 17 in 16
evaluating_word: "validation"  # 27 in 14

# Names what prepares a run, ends it, or lies outside of it.
once_word: "build"  # 33 in 31
once_word: "collate"  # 21 in 19
once_word: "create"  # 8 in 8
once_word: "demo"  # 0 in 0
once_word: "export"  # 0 in 0
once_word: "init"  # 896 in 406
once_word: "onnx"  # 0 in 0
once_word: "register"  # 12 in 11
once_word: "setup"  # 17 in 14
once_word: "test"  # 31 in 30

# Of a method, names what a run does once.
making_word: "convert"  # 1 in 1
making_word: "download"  # 0 in 0
making_word: "fit"  # 40 in 27
making_word: "fold"  # 1 in 1
making_word: "initialise"  # 0 in 0
making_word: "initialised"  # 0 in 0
making_word: "initialize"  # 2 in 2
making_word: "initialized"  # 2 in 2
making_word: "load"  # 28 in 27
making_word: "make"  # 41 in 39
making_word: "parse"  # 21 in 20
making_word: "prepare"  # 8 in 8
making_word: "quantise"  # 0 in 0
making_word: "quantize"  # 1 in 1
making_word: "resize"  # 1 in 1
making_word: "set"  # 25 in 23
making_word: "split"  # 6 in 6
making_word: "warm"  # 0 in 0
making_word: "warmup"  # 3 in 3

# ---- methods that somebody's loop calls ----

# Begins the name of a method that a framework calls.
hook: "before_*"  # 43 in 7
hook: "after_*"  # 76 in 10
hook: "on_*"  # 157 in 31

# A hook with such a word is called in each turn.
hook_of_turns: "*iter*"  # 1206 in 180
hook_of_turns: "*batch*"  # 2375 in 324
hook_of_turns: "*step*"  # 2132 in 290
hook_of_turns: "*forward*"  # 491 in 189
hook_of_turns: "*backward*"  # 333 in 184
hook_of_turns: "*update*"  # 542 in 157
hook_of_turns: "*loss*"  # 3090 in 270

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
step_method: "*_step"  # 325 in 74

# A method of a training step.
training_method: "*train_step"  # 14 in 8
training_method: "*training_step"  # 12 in 10

# Text for people, which nobody calls in a run.
describing_method: "extra_repr"  # 0 in 0

# Of a preparing class, works with what a model made.
showing_method: "post*"  # 69 in 23
showing_method: "visualize*"  # 5 in 3

# A class that prepares inputs on the CPU unless it is asked for a GPU.
preparing_class: "*ImageProcessor*"  # 0 in 0
preparing_class: "*VideoProcessor*"  # 0 in 0
preparing_class: "*FeatureExtractor*"  # 0 in 0

# ---- conditions, and what decorates ----

# A parameter that counts turns.
turn_parameter: "batch_idx"  # 75 in 23
turn_parameter: "step"  # 866 in 233
turn_parameter: "global_step"  # 84 in 17

# How many parts or dimensions something has.
length_attribute: "len"  # 967 in 316
length_attribute: "dim"  # 980 in 188
length_attribute: "ndim"  # 21 in 16
length_attribute: "ndimension"  # 0 in 0

# What compares equal to 0 where a batch is empty.
size_attribute: "size"  # 794 in 217
size_attribute: "numel"  # 76 in 49
size_attribute: "nelement"  # 5 in 4
size_attribute: "len"  # 967 in 316
size_attribute: "shape"  # 648 in 189

# The number of a process among several.
rank: "*rank*"  # 144 in 34

# True on one process alone.
first_rank_flag: "*main_process*"  # 13 in 5
first_rank_flag: "*is_master*"  # 2 in 1
first_rank_flag: "*rank_zero*"  # 0 in 0

# True for what seldom happens.
rare_test: "isnan"  # 20 in 17
rare_test: "isinf"  # 2 in 2

# False for what seldom happens.
usual_test: "isfinite"  # 14 in 13

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
several_flag: "*multi_gpu"  # 0 in 0
several_flag: "use_ddp*"  # 0 in 0

# How many processes train, or GPUs there are: one, unless somebody has more.
process_count: "*world_size"  # 20 in 6
process_count: "nranks"  # 0 in 0
process_count: "device_count"  # 5 in 5

# A variable of the environment that what starts processes sets, or the machine.
launched_variable: "*RANK*"  # 7 in 4
launched_variable: "*WORLD_SIZE*"  # 3 in 3
launched_variable: "*_DEVICES"  # 4 in 3
launched_variable: "*CUDA*"  # 11 in 7
launched_variable: "SLURM_*"  # 0 in 0
launched_variable: "MASTER_*"  # 4 in 2
launched_variable: "ACCELERATE_*"  # 0 in 0

# A package that finds a GPU by itself and moves models there.
placing_module: "accelerate"  # 9 in 6
placing_module: "accelerate.*"  # 9 in 6
placing_module: "deepspeed"  # 0 in 0
placing_module: "deepspeed.*"  # 0 in 0
placing_module: "lightning"  # 8 in 5
placing_module: "lightning.*"  # 8 in 5
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
settings_class: "*Config"  # 243 in 54
settings_class: "*Configuration"  # 0 in 0
settings_class: "*Cfg"  # 6 in 1
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
options_name: "args"  # 2662 in 178
options_name: "*_args"  # 190 in 122
options_name: "opt"  # 498 in 62
options_name: "opts"  # 113 in 10
options_name: "options"  # 238 in 48
options_name: "flags"  # 5 in 1
options_name: "FLAGS"  # 0 in 0
options_name: "params"  # 177 in 53
options_name: "cfg"  # 1040 in 60
options_name: "config"  # 237 in 38
options_name: "conf"  # 48 in 11
options_name: "hparams"  # 58 in 19
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
warning_call: "warn"  # 2 in 1
warning_call: "warning"  # 5 in 4
warning_call: "warn_once"  # 0 in 0
warning_call: "warning_once"  # 0 in 0
warning_call: "error"  # 532 in 48
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
tracing_decorator: "torch.compile"  # 26 in 13
tracing_decorator: "torch._dynamo.optimize"  # 10 in 7

# Keeps a function's results by its arguments.
memoising_decorator: "*lru_cache"  # 0 in 0
memoising_decorator: "cache"  # 63 in 10

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
transforms_folder: "*transform*"  # 28 in 17
transforms_folder: "*preprocess*"  # 0 in 0
transforms_folder: "*augment*"  # 6 in 4

# Code for data: what a loader makes a batch of.
data_folder: "augmentation"  # 0 in 0
data_folder: "augmentations"  # 0 in 0
data_folder: "collate"  # 0 in 0
data_folder: "collation"  # 0 in 0
data_folder: "collator"  # 0 in 0
data_folder: "collators"  # 0 in 0
data_folder: "data"  # 36 in 36
data_folder: "data_loader"  # 3 in 3
data_folder: "data_loaders"  # 1 in 1
data_folder: "data_utils"  # 1 in 1
data_folder: "dataloader"  # 1 in 1
data_folder: "dataloaders"  # 2 in 2
data_folder: "dataloading"  # 0 in 0
data_folder: "datamodule"  # 1 in 1
data_folder: "datamodules"  # 0 in 0
data_folder: "dataset"  # 11 in 11
data_folder: "datasets"  # 8 in 8
data_folder: "featurizer"  # 0 in 0
data_folder: "featurization"  # 0 in 0
data_folder: "featurizers"  # 0 in 0

# Code that computes with it.
model_folder: "envs"  # 6 in 6
model_folder: "layers"  # 1 in 1
model_folder: "model"  # 31 in 30
model_folder: "models"  # 46 in 46
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
restoring_method: "load_state_dict"  # 111 in 67

# Moves a module or tensor to a device.
moving_method: "cuda"  # 792 in 251
moving_method: "to"  # 1059 in 243

# Goes over the parts of a module.
parts_method: "modules"  # 54 in 26
parts_method: "named_modules"  # 7 in 7
parts_method: "children"  # 2 in 2
parts_method: "named_children"  # 3 in 3
parts_method: "parameters"  # 557 in 214
parts_method: "named_parameters"  # 58 in 32
parts_method: "buffers"  # 7 in 4
parts_method: "named_buffers"  # 2 in 2

# Overwrites a tensor in place.
filling_method: "copy_"  # 36 in 23
filling_method: "fill_"  # 21 in 17

# The tensor itself, without its gradient.
data_attribute: "data"  # 1179 in 264

# Makes a device of its argument.
device_constructor: "device"  # 4631 in 327

# Begins a backward pass.
backward_method: "backward"  # 312 in 179

# Scales a loss before its backward pass.
scaling_method: "scale"  # 150 in 66

# What is asked so is a tensor, and is computed with.
computing_method: "detach"  # 257 in 132
computing_method: "requires_grad_"  # 58 in 28
computing_method: "softmax"  # 89 in 58
computing_method: "log_softmax"  # 31 in 24
computing_method: "masked_fill"  # 30 in 20
computing_method: "scatter_"  # 3 in 3
computing_method: "neg"  # 38 in 8
computing_method: "mul_"  # 25 in 22
computing_method: "add_"  # 20 in 17
computing_method: "sub_"  # 3 in 3
computing_method: "div_"  # 5 in 5
computing_method: "clamp_"  # 12 in 9
computing_method: "zero_"  # 15 in 12
computing_method: "fill_"  # 21 in 17
computing_method: "addcmul_"  # 0 in 0
computing_method: "new_zeros"  # 19 in 12
computing_method: "new_empty"  # 3 in 3
computing_method: "new_ones"  # 3 in 3
computing_method: "new_full"  # 4 in 4
computing_method: "new_tensor"  # 4 in 2
computing_method: "clone"  # 80 in 54
computing_method: "view_as"  # 8 in 8
computing_method: "expand_as"  # 23 in 21
computing_method: "type_as"  # 16 in 10
computing_method: "reciprocal"  # 0 in 0

# What is asked so is a tensor, or as often an array or a record.
tensor_method: "unsqueeze"  # 151 in 69
tensor_method: "permute"  # 81 in 42
tensor_method: "contiguous"  # 49 in 31
tensor_method: "gather"  # 43 in 28
tensor_method: "numel"  # 76 in 49
tensor_method: "expand"  # 69 in 39

# What is asked so is a module.
module_method: "train"  # 551 in 189
module_method: "eval"  # 235 in 153
module_method: "parameters"  # 557 in 214
module_method: "named_parameters"  # 58 in 32

# What is asked so is an optimizer.
optimizer_method: "zero_grad"  # 281 in 173
optimizer_method: "step"  # 866 in 233

# What is asked so is read back.
reading_method: "item"  # 755 in 240
reading_method: "cpu"  # 405 in 229
reading_method: "tolist"  # 140 in 84

# What is asked so is a text.
text_method: "startswith"  # 35 in 23
text_method: "endswith"  # 19 in 16
text_method: "lower"  # 27 in 18
text_method: "upper"  # 9 in 4
text_method: "strip"  # 11 in 5
text_method: "rstrip"  # 2 in 2
text_method: "lstrip"  # 3 in 3
text_method: "rsplit"  # 3 in 1
text_method: "splitlines"  # 18 in 12
text_method: "encode"  # 61 in 33
text_method: "format"  # 286 in 101

# What it gives may be elsewhere, or no tensor.
leaving_method: "cpu"  # 405 in 229
leaving_method: "to"  # 1059 in 243
leaving_method: "cuda"  # 792 in 251
leaving_method: "tolist"  # 140 in 84
leaving_method: "item"  # 755 in 240
leaving_method: "numpy"  # 404 in 237
leaving_method: "asarray"  # 21 in 11
leaving_method: "get"  # 113 in 68

# Gives an array.
array_method: "numpy"  # 404 in 237

# Gives a tensor on the CPU.
fetching_method: "cpu"  # 405 in 229

# Gives a tensor on the GPU.
sending_method: "cuda"  # 792 in 251

# Of what is only guessed to be a tensor, says that it is one.
sure_method: "item"  # 755 in 240
sure_method: "cpu"  # 405 in 229
sure_method: "detach"  # 257 in 132
sure_method: "backward"  # 312 in 179
sure_method: "tolist"  # 140 in 84
sure_method: "argmax"  # 110 in 79
sure_method: "softmax"  # 89 in 58
sure_method: "mean"  # 807 in 268
sure_method: "sum"  # 775 in 272
sure_method: "max"  # 400 in 209
sure_method: "float"  # 1001 in 318
sure_method: "view"  # 293 in 117
sure_method: "size"  # 794 in 217
sure_method: "squeeze"  # 83 in 60
sure_method: "unsqueeze"  # 151 in 69
sure_method: "sigmoid"  # 44 in 33
sure_method: "numel"  # 76 in 49
sure_method: "cuda"  # 792 in 251
sure_method: "to"  # 1059 in 243

# Of something unknown, says that it is a GPU tensor: likely.
gpu_method: "backward"  # 312 in 179
gpu_method: "cpu"  # 405 in 229

# Says so: possibly.
perhaps_gpu_method: "detach"  # 257 in 132
perhaps_gpu_method: "item"  # 755 in 240

# Of something unknown, says that it is a tensor, wherever it is: possibly.
perhaps_tensor_method: "requires_grad_"  # 58 in 28
perhaps_tensor_method: "unsqueeze"  # 151 in 69
perhaps_tensor_method: "masked_fill"  # 30 in 20
perhaps_tensor_method: "permute"  # 81 in 42
perhaps_tensor_method: "contiguous"  # 49 in 31
perhaps_tensor_method: "softmax"  # 89 in 58
perhaps_tensor_method: "log_softmax"  # 31 in 24
perhaps_tensor_method: "numel"  # 76 in 49
perhaps_tensor_method: "nonzero"  # 23 in 18
perhaps_tensor_method: "masked_select"  # 12 in 4

# Asks something that no tensor knows.
question: "is_*"  # 392 in 224
question: "has_*"  # 3 in 2

# Keeps a tensor in a module under a name.
registering_method: "register_buffer"  # 90 in 46
registering_method: "register_parameter"  # 2 in 2

# Keeps tensors for the backward pass.
saving_method: "save_for_backward"  # 4 in 4

# What it kept.
saved_attribute: "saved_tensors"  # 4 in 4

# Has the context of an operation, where its forward has none.
context_method: "setup_context"  # 0 in 0

# Registers a hook.
hooking_method: "register_*"  # 132 in 63

# Of something unknown, writes a log.
writing_method: "add_scalar*"  # 32 in 9
writing_method: "add_histogram*"  # 3 in 3

# What calling a module calls.
forward_method: "forward"  # 438 in 182

# Finds functions and methods by names from a configuration or the command line.
asking_by_name: "instantiate"  # 0 in 0
asking_by_name: "get_class"  # 0 in 0
asking_by_name: "get_method"  # 0 in 0
asking_by_name: "locate"  # 0 in 0
asking_by_name: "getmembers"  # 0 in 0
asking_by_name: "Fire"  # 0 in 0
asking_by_name: "*CLI"  # 0 in 0
asking_by_name: "exec"  # 2 in 2

# Runs its function without gradients.
gradless_decorator: "no_grad"  # 302 in 191
gradless_decorator: "inference_mode"  # 16 in 12

# What distributions alone are asked.
scoring_method: "log_prob"  # 22 in 9

# A program without this word has no distributions.
distributions_word: "distributions"  # 47 in 17

# Gives the module that it is asked of.
keeping_method: "to"  # 1059 in 243
keeping_method: "cuda"  # 792 in 251
keeping_method: "eval"  # 235 in 153
keeping_method: "train"  # 551 in 189
keeping_method: "float"  # 1001 in 318
keeping_method: "half"  # 32 in 9
keeping_method: "bfloat16"  # 24 in 16

# Where it stands, what is given back may be elsewhere.
placing_word: "to"  # 1059 in 243
placing_word: "cuda"  # 792 in 251
placing_word: "device"  # 4631 in 327

# Its first argument names a device.
placing_call: "to"  # 1059 in 243
placing_call: "device"  # 4631 in 327

# Moves a record of tensors.
record_moving_method: "to"  # 1059 in 243
record_moving_method: "cuda"  # 792 in 251
record_moving_method: "to_device"  # 19 in 7
record_moving_method: "move_to"  # 12 in 4

# Goes over the state of a module.
state_method: "parameters"  # 557 in 214
state_method: "named_parameters"  # 58 in 32
state_method: "buffers"  # 7 in 4
state_method: "named_buffers"  # 2 in 2
state_method: "state_dict"  # 284 in 121
state_method: "modules"  # 54 in 26

# Makes a parameter.
parameter_call: "Parameter"  # 129 in 56

# Asks whether a tensor is pinned.
pinned_test: "is_pinned"  # 0 in 0

# Asks whether something is a tensor.
tensor_test: "is_tensor"  # 16 in 12

# A shape, of arrays and tensors.
shape_attribute: "shape"  # 648 in 189
shape_attribute: "ndim"  # 21 in 16

# A dtype, of tensors and as a parameter.
dtype_name: "dtype"  # 484 in 206

# A number, of batches and graphs.
count_attribute: "batch_size"  # 661 in 195
count_attribute: "batch_dims"  # 0 in 0
count_attribute: "num_nodes"  # 15 in 3
count_attribute: "num_edges"  # 0 in 0
count_attribute: "num_graphs"  # 19 in 8

# What models give and nothing else has.
output_attribute: "logits"  # 417 in 78
output_attribute: "*_logits"  # 113 in 31
output_attribute: "last_hidden_state"  # 1 in 1
output_attribute: "pooler_output"  # 0 in 0

# What is called below such a name computes with its first argument.
computing_root: "torch"  # 6949 in 516
computing_root: "F"  # 644 in 153
computing_root: "nn"  # 3411 in 334
computing_root: "self"  # 15543 in 421

# Names a dimension of a tensor, which arrays call an axis.
dim_keyword: "dim"  # 980 in 188

# Packs padded sequences.
packing_call: "pack_padded_sequence"  # 6 in 3

# Takes their lengths.
lengths_parameter: "lengths"  # 73 in 18

# Its arguments are sizes.
shape_call: "range"  # 1152 in 364
shape_call: "view"  # 293 in 117
shape_call: "reshape"  # 176 in 77
shape_call: "expand"  # 69 in 39
shape_call: "arange"  # 215 in 133
shape_call: "zeros"  # 375 in 186
shape_call: "ones"  # 111 in 77
shape_call: "empty"  # 31 in 14
shape_call: "randn"  # 329 in 118
shape_call: "repeat"  # 71 in 37
shape_call: "rand"  # 413 in 114
shape_call: "full"  # 65 in 47
shape_call: "new_zeros"  # 19 in 12
shape_call: "new_ones"  # 3 in 3
shape_call: "new_empty"  # 3 in 3

# Its arguments after the first are sizes, paddings or probabilities.
shaping_call: "pad"  # 103 in 29
shaping_call: "interpolate"  # 22 in 14
shaping_call: "dropout"  # 217 in 47
shaping_call: "unfold"  # 2 in 2
shaping_call: "fold"  # 23 in 4
shaping_call: "roll"  # 7 in 3
shaping_call: "split"  # 221 in 91
shaping_call: "chunk"  # 65 in 29
shaping_call: "tile"  # 8 in 5
shaping_call: "adaptive_avg_pool1d"  # 1 in 1
shaping_call: "adaptive_avg_pool2d"  # 4 in 4
shaping_call: "adaptive_max_pool2d"  # 0 in 0
shaping_call: "avg_pool2d"  # 1 in 1
shaping_call: "max_pool2d"  # 7 in 3

# ---- what a value read from the GPU is used for ----

# Needs it now: its arguments are sizes.
sizing_call: "range"  # 1152 in 364
sizing_call: "zeros"  # 375 in 186
sizing_call: "ones"  # 111 in 77
sizing_call: "empty"  # 31 in 14
sizing_call: "full"  # 65 in 47
sizing_call: "rand"  # 413 in 114
sizing_call: "randn"  # 329 in 118
sizing_call: "new_zeros"  # 19 in 12
sizing_call: "new_ones"  # 3 in 3
sizing_call: "new_empty"  # 3 in 3
sizing_call: "Size"  # 7 in 4
sizing_call: "arange"  # 215 in 133
sizing_call: "view"  # 293 in 117
sizing_call: "reshape"  # 176 in 77
sizing_call: "expand"  # 69 in 39
sizing_call: "split"  # 221 in 91
sizing_call: "repeat"  # 71 in 37
sizing_call: "narrow"  # 4 in 3
sizing_call: "topk"  # 91 in 46

# Wants it later: it is put into a list or a meter.
keeping_call: "append"  # 723 in 271
keeping_call: "update"  # 301 in 122
keeping_call: "extend"  # 19 in 17
keeping_call: "add"  # 49 in 31

# Wants it only where debug messages are shown: a run has them off.
debugging_call: "debug"  # 5 in 4

# Wants it later: it is shown.
logging_call: "print"  # 1186 in 239
logging_call: "log"  # 226 in 93
logging_call: "info"  # 199 in 59
logging_call: "debug"  # 5 in 4
logging_call: "warning"  # 5 in 4
logging_call: "add_scalar"  # 31 in 9
logging_call: "add_scalars"  # 1 in 1
logging_call: "add_histogram"  # 3 in 3
logging_call: "add_image"  # 2 in 2
logging_call: "add_images"  # 1 in 1
logging_call: "add_figure"  # 0 in 0
logging_call: "log_dict"  # 22 in 7
logging_call: "set_postfix"  # 14 in 10
logging_call: "format"  # 286 in 101
logging_call: "write"  # 78 in 44
logging_call: "set_description"  # 9 in 6
logging_call: "log_metrics"  # 11 in 4

# Makes a tensor of sizes and numbers, on any device.
creating_call: "zeros"  # 375 in 186
creating_call: "ones"  # 111 in 77
creating_call: "empty"  # 31 in 14
creating_call: "full"  # 65 in 47
creating_call: "eye"  # 47 in 23
creating_call: "arange"  # 215 in 133
creating_call: "linspace"  # 75 in 45
creating_call: "logspace"  # 0 in 0
creating_call: "rand"  # 413 in 114
creating_call: "randn"  # 329 in 118
creating_call: "randint"  # 372 in 136
creating_call: "randperm"  # 22 in 19
creating_call: "tril_indices"  # 0 in 0
creating_call: "triu_indices"  # 0 in 0

# Makes a tensor of what the host has.
wrapping_call: "from_numpy"  # 135 in 63
wrapping_call: "tensor"  # 361 in 133
wrapping_call: "as_tensor"  # 23 in 16
wrapping_call: "Tensor"  # 210 in 49
wrapping_call: "FloatTensor"  # 13 in 8
wrapping_call: "LongTensor"  # 21 in 10

# Writes it into a file.
saving_call: "save"  # 188 in 129
saving_call: "dump"  # 25 in 22
saving_call: "imwrite"  # 0 in 0
saving_call: "save_*"  # 251 in 95

# Needs it now, where it is called on an environment: it acts by its arguments.
acting_call: "step"  # 866 in 233

# An environment of reinforcement learning: it lives on the host.
environment: "env"  # 203 in 18
environment: "envs"  # 37 in 9
environment: "*_env"  # 53 in 10
environment: "*_envs"  # 58 in 8
environment: "environment"  # 0 in 0

# Makes few numbers of many: those that a mask leaves out can be made to count nothing.
reducing_call: "mean"  # 807 in 268
reducing_call: "sum"  # 775 in 272
reducing_call: "nanmean"  # 2 in 1
reducing_call: "nansum"  # 0 in 0

# Makes of each element one: what is picked before it may be picked behind it.
elementwise_call: "abs"  # 143 in 77
elementwise_call: "square"  # 33 in 19
elementwise_call: "pow"  # 68 in 44
elementwise_call: "sqrt"  # 106 in 70
elementwise_call: "exp"  # 157 in 99
elementwise_call: "log"  # 226 in 93
elementwise_call: "log1p"  # 6 in 5
elementwise_call: "clamp"  # 157 in 90
elementwise_call: "float"  # 1001 in 318
elementwise_call: "neg"  # 38 in 8
elementwise_call: "relu"  # 101 in 48
elementwise_call: "sigmoid"  # 44 in 33
elementwise_call: "softplus"  # 15 in 9
elementwise_call: "tanh"  # 32 in 24

# Whether any element is true: what a mask without one would do is nothing.
guarding_call: "any"  # 57 in 43

# ---- annotations ----

# A type of tensors that says their shape.
shaped_type: "jaxtyping.*"  # 0 in 0

# An annotation of a tensor type and its shape.
shaped_annotation: "Float"  # 0 in 0
shaped_annotation: "Int"  # 0 in 0
shaped_annotation: "Bool"  # 0 in 0

# An annotation of a tuple.
tuple_type: "tuple"  # 71 in 51
tuple_type: "Tuple"  # 17 in 6

# An annotation of a list, or what is iterated like one.
list_type: "list"  # 218 in 134
list_type: "List"  # 28 in 10
list_type: "Sequence"  # 3 in 1
list_type: "Iterable"  # 8 in 4
list_type: "Iterator"  # 6 in 3
list_type: "Generator"  # 62 in 37

# An annotation of a set.
set_type: "set"  # 59 in 34

# An annotation of a dict.
dict_type: "dict"  # 317 in 104
dict_type: "Dict"  # 31 in 9
dict_type: "Mapping"  # 2 in 1

# An annotation of a container and no tensor.
container_type: "tuple"  # 71 in 51
container_type: "Tuple"  # 17 in 6
container_type: "list"  # 218 in 134
container_type: "List"  # 28 in 10
container_type: "dict"  # 317 in 104
container_type: "Dict"  # 31 in 9
container_type: "Mapping"  # 2 in 1
container_type: "Sequence"  # 3 in 1

# ---- parameters and variables ----

# A loader, wherever it is kept.
kept_loader: "*dataloader"  # 90 in 31
kept_loader: "*data_loader"  # 83 in 16
kept_loader: "*train_loader"  # 127 in 46
kept_loader: "*val_loader"  # 72 in 26
kept_loader: "*valid_loader"  # 14 in 4
kept_loader: "*test_loader"  # 80 in 27
kept_loader: "*eval_loader"  # 2 in 1
kept_loader: "*_dl"  # 52 in 8

# A loader where it is iterated.
iterated_loader: "*loader"  # 877 in 143

# What a model gave, and what it is compared with.
output_name: "pred_*"  # 94 in 25
output_name: "gt_*"  # 53 in 12
output_name: "student_*"  # 8 in 3
output_name: "teacher_*"  # 14 in 4
output_name: "*logits"  # 532 in 95
output_name: "*probs"  # 155 in 28
output_name: "*preds"  # 106 in 19
output_name: "*embeddings"  # 87 in 22

# A module where it is called.
called_module: "*model"  # 3196 in 276
called_module: "*net"  # 736 in 99
called_module: "*criterion"  # 276 in 51
called_module: "*loss_fn"  # 40 in 12
called_module: "*encoder"  # 129 in 39
called_module: "*decoder"  # 55 in 18

# An optimizer where it is asked what optimizers are.
optimizer_name: "*optimizer"  # 1160 in 180
optimizer_name: "*optim"  # 511 in 184
optimizer_name: "*opt"  # 597 in 67
optimizer_name: "optimizer_*"  # 32 in 14
optimizer_name: "optim_*"  # 11 in 8
optimizer_name: "opt_*"  # 60 in 8

# An index of flags.
mask_name: "*mask"  # 668 in 104

# Settings on the host.
settings_name: "*cfg"  # 1076 in 69
settings_name: "*config"  # 300 in 54
settings_name: "*configs"  # 42 in 7
settings_name: "*hparams"  # 61 in 19
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
host_module: "*.cpu.*"  # 405 in 229
host_module: "*.cpu"  # 405 in 229

# Of what runs a backward pass, takes the loss.
loss_parameter: "loss"  # 1278 in 213
loss_parameter: "tensor"  # 361 in 133

# A dtype.
dtype_parameter: "*dtype"  # 502 in 206

# Takes a shape.
size_parameter: "size"  # 794 in 217

# Hands out models on the GPU.
accelerator_variable: "accelerator"  # 79 in 14

# What it does so by.
preparing_method: "prepare"  # 20 in 11

# Makes numbers of texts, and texts of numbers.
tokenizer: "*tokenizer"  # 72 in 16
tokenizer: "*processor"  # 19 in 6

# Such a one of other things than texts.
other_tokenizer: "audio_*"  # 2 in 1
other_tokenizer: "speech_*"  # 0 in 0
other_tokenizer: "image_*"  # 115 in 31
other_tokenizer: "video_*"  # 10 in 1
other_tokenizer: "vq_*"  # 2 in 1
other_tokenizer: "action_*"  # 55 in 11

# Gives the text.
decoding_method: "decode"  # 69 in 37
decoding_method: "batch_decode"  # 0 in 0
decoding_method: "convert_ids_to_tokens"  # 0 in 0

# Gives the numbers.
generating_method: "generate"  # 32 in 21

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
torch_tensors: "pt"  # 14 in 7

# ---- options that objects carry along ----

# True, it spares a wait.
sparing_option: "fused"  # 6 in 5

# False, it spares a wait.
asking_option: "validate_args"  # 2 in 2
asking_option: "enabled"  # 38 in 22

# Spares a wait by a word.
choosing_option: "nan_strategy"  # 0 in 0

# That word.
sparing_choice: "disable"  # 15 in 10

# True, what is given is pinned.
pinning_option: "pin_memory"  # 72 in 53

# How many workers load the data.
workers_parameter: "num_workers"  # 100 in 52

# The function that makes a batch of rows.
collate_parameter: "collate_fn"  # 67 in 30

# What a loader loads.
dataset_parameter: "dataset"  # 204 in 68

# ---- devices ----

# The device of the run, a GPU, as a parameter and a keyword.
device_name: "device"  # 4631 in 327

# The device of the run, as an attribute.
device_attribute: "device"  # 4631 in 327
device_attribute: "_device"  # 3 in 1
device_attribute: "DEVICE"  # 18 in 4

# The CPU.
host_device_name: "cpu_device"  # 0 in 0

# A text that names a GPU.
gpu_place: "cuda*"  # 813 in 253

# A text that names the CPU.
cpu_place: "cpu"  # 405 in 229

# A text that names the CPU, or what is no GPU of ours.
host_place: "cpu"  # 405 in 229
host_place: "tpu"  # 0 in 0
host_place: "xla"  # 0 in 0

# A text that names the CPU before anything else.
host_text: "cpu*"  # 413 in 229

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
cuda_mention: "cuda"  # 792 in 251
cuda_mention: "cuda:0"  # 17 in 17
cuda_mention: "Accelerator"  # 12 in 6

# The number of a GPU.
gpu_number: "gpu"  # 77 in 17
gpu_number: "gpu_id"  # 1 in 1
gpu_number: "gpu_index"  # 2 in 1
gpu_number: "local_rank"  # 9 in 2
gpu_number: "rank"  # 47 in 14
gpu_number: "device_id"  # 0 in 0
gpu_number: "cuda_id"  # 0 in 0

# Such numbers.
gpu_numbers: "gpus"  # 1 in 1
gpu_numbers: "gpu_ids"  # 25 in 4
gpu_numbers: "device_ids"  # 9 in 6

# Whether there is a GPU.
gpu_flag: "use_cuda"  # 33 in 9
gpu_flag: "cuda"  # 792 in 251
gpu_flag: "use_gpu"  # 8 in 5
gpu_flag: "gpu"  # 77 in 17
gpu_flag: "on_gpu"  # 0 in 0
gpu_flag: "has_cuda"  # 0 in 0
gpu_flag: "is_cuda"  # 6 in 5
gpu_flag: "has_gpu"  # 0 in 0

# Whether there is none.
host_flag: "no_cuda"  # 4 in 4
host_flag: "cpu"  # 405 in 229
host_flag: "is_cpu"  # 0 in 0
host_flag: "use_cpu"  # 0 in 0
host_flag: "no_gpu"  # 0 in 0
host_flag: "force_cpu"  # 0 in 0
host_flag: "cpu_only"  # 0 in 0

# ---- functions and classes of data and start-up ----

# Done once, unless it is a batch method.
setup_method: "export*"  # 4 in 2
setup_method: "download*"  # 2 in 2
setup_method: "initialize*"  # 10 in 6
setup_method: "setup*"  # 31 in 18
setup_method: "set_up*"  # 0 in 0

# Done for each batch.
batch_method: "*batch*"  # 2375 in 324
batch_method: "*hidden*"  # 564 in 83

# Done once of a whole model.
loading_method: "load*"  # 561 in 159
loading_method: "convert*"  # 8 in 5
loading_method: "quantize*"  # 10 in 4
loading_method: "init_*"  # 110 in 45

# What that is named by.
whole_model_method: "*model*"  # 3643 in 303
whole_model_method: "*weight*"  # 891 in 216
whole_model_method: "*checkpoint*"  # 240 in 65
whole_model_method: "*ckpt*"  # 97 in 29
whole_model_method: "*state_dict*"  # 424 in 129
whole_model_method: "*pretrained*"  # 13 in 8
whole_model_method: "*param*"  # 1312 in 264
whole_model_method: "*network*"  # 174 in 22
whole_model_method: "*adapter*"  # 3 in 2
whole_model_method: "*from_*"  # 232 in 107

# What it does is done before a batch leaves the CPU.
data_class: "*Dataset"  # 390 in 139
data_class: "*Collat*"  # 13 in 8

# So is what a class below it does.
dataset_class: "*Dataset"  # 390 in 139

# Makes a batch of rows.
collating_method: "collate*"  # 113 in 41
collating_method: "*collate_fn"  # 67 in 30

# A whole training.
fitting_method: "fit"  # 147 in 48
fitting_method: "fit_transform"  # 2 in 1

# A module that a build makes.
generated_module: "_*"  # 5896 in 563
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
interpreter_name: "apply"  # 30 in 19
interpreter_name: "basestring"  # 0 in 0
interpreter_name: "buffer"  # 34 in 10
interpreter_name: "classmethod"  # 6 in 6
interpreter_name: "cmp"  # 0 in 0
interpreter_name: "coerce"  # 0 in 0
interpreter_name: "copyright"  # 0 in 0
interpreter_name: "credits"  # 0 in 0
interpreter_name: "display"  # 5 in 2
interpreter_name: "execfile"  # 0 in 0
interpreter_name: "file"  # 93 in 20
interpreter_name: "get_ipython"  # 0 in 0
interpreter_name: "intern"  # 0 in 0
interpreter_name: "license"  # 0 in 0
interpreter_name: "long"  # 156 in 100
interpreter_name: "profile"  # 4 in 2
interpreter_name: "property"  # 60 in 38
interpreter_name: "raw_input"  # 0 in 0
interpreter_name: "reload"  # 0 in 0
interpreter_name: "reveal_type"  # 0 in 0
interpreter_name: "staticmethod"  # 33 in 19
interpreter_name: "super"  # 465 in 211
interpreter_name: "unichr"  # 0 in 0
interpreter_name: "unicode"  # 0 in 0
interpreter_name: "xrange"  # 0 in 0
interpreter_name: "*Error"  # 148 in 84
interpreter_name: "*Warning"  # 0 in 0
interpreter_name: "*Exception"  # 197 in 53
interpreter_name: "*Exit"  # 0 in 0
interpreter_name: "*Iteration"  # 8 in 6
interpreter_name: "*Interrupt"  # 4 in 4
interpreter_name: "*Group"  # 4 in 2
