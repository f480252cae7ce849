"""What APIs do to shapes, and how much work they are: Python that syncl runs on what it knows of numbers and shapes, never a
program's own. `@of` names the APIs, each choice of {a,b} one; the words besides Python's are those of analyzer/size/words.def.
A number that is not known goes through like any other. rules/FORMAT.md has the rest."""


def same(x):
    return tensor(shape(x), x)


def as_pair(value, count):
    return value if is_list(value) else (value,) * count


def product_of(numbers):
    total = 1
    for number in numbers:
        total = total * number
    return total


def axis(dim, rank):
    return dim + rank if dim < 0 else dim


# ---- Python's own libraries ----

@of("copy.{copy,deepcopy}")
def deepcopy(x, memo=None):
    return x


@of("argparse.ArgumentParser")
class ArgumentParser:
    def __init__(self, *args, **kwargs):
        self.known = {}

    def add_argument(self, *names, default=None, type=None, action=None, dest=None, **kwargs):
        name = dest
        if name is None:
            name = option_name(names)
        if action == "store_true" and default is None:
            default = False
        self.known[name] = default

    def parse_args(self, *args):
        return namespace(self.known)

    def parse_known_args(self, *args):
        return namespace(self.known), []

    def add_argument_group(self, *args, **kwargs):
        return self


@of("math.{ceil}")
def ceil(x):
    return -(-x // 1)


@of("math.{floor,trunc}")
def floor(x):
    return x // 1


@of("math.sqrt")
def square_root(x):
    return x ** 0.5


@of("math.prod")
def prod(numbers):
    return product_of(numbers)


@of("os.getenv", "os.environ.get")
def from_environment(name, default=None):
    return default


@of("numpy.{float32,single}")
def array_float():
    return "float"


@of("numpy.{float64,double}")
def array_double():
    return "double"


@of("numpy.{float16,half}")
def array_half():
    return "half"


@of("numpy.int64")
def array_long():
    return "long"


@of("numpy.int32")
def array_int():
    return "int"


@of("numpy.{uint8,int8,ubyte,byte}")
def array_byte():
    return "byte"


@of("numpy.bool_")
def array_bool():
    return "bool"


# ---- numpy: arrays are tensors of the host ----

ELEMENTS = {"float32": "float", "float64": "double", "float16": "half", "int64": "long", "int32": "int", "uint8": "byte", "int8": "byte", "bool": "bool", "f": "float", "d": "double"}


def array_element(dtype, otherwise):
    """np.float32 or "float32"; float and int of Python are as wide as they get."""
    if is_text(dtype):
        return ELEMENTS[dtype] if dtype in ELEMENTS else dtype
    if dtype is None:
        return otherwise
    return "double" if dtype == float else "long" if dtype == int else "bool" if dtype == bool else "unknown"


@of("numpy.{zeros,ones,empty}")
def array_of(shape, dtype=None, **kwargs):
    return tensor(as_pair(shape, 1), array_element(dtype, "double"))


@of("numpy.full")
def array_full(shape, fill_value, dtype=None, **kwargs):
    return tensor(as_pair(shape, 1), array_element(dtype, "double"))


@of("numpy.{zeros_like,ones_like,empty_like}")
def array_like(a, dtype=None, **kwargs):
    return tensor(shape(a), array_element(dtype, element(a)))


@of("numpy.full_like")
def array_full_like(a, fill_value, dtype=None, **kwargs):
    return tensor(shape(a), array_element(dtype, element(a)))


@of("numpy.{eye,identity}")
def array_eye(n, m=None, *args, dtype=None, **kwargs):
    return tensor((n, n if m is None else m), array_element(dtype, "double"))


def drawn(size, kind="double"):
    """Without a size a number."""
    return tensor(as_pair(size, 1), kind) if size is not None else between(None, None)


@of("numpy.random.{rand,randn}")
def array_random(*size):
    return tensor(size, "double") if size else between(None, None)


@of("numpy.random.randint")
def array_integers(low, high=None, size=None, dtype="long"):
    return drawn(size, "long")


@of("numpy.random.{random,random_sample,standard_normal}")
def array_sampled(size=None, dtype=None, **kwargs):
    return drawn(size, array_element(dtype, "double"))


@of("numpy.random.{normal,uniform,beta,gamma,lognormal}")
def array_drawn(a=0.0, b=1.0, size=None):
    return drawn(size)


@of("numpy.random.exponential")
def array_scaled(scale=1.0, size=None):
    return drawn(size)


@of("numpy.random.{poisson,geometric}")
def array_counts(lam=1.0, size=None):
    return drawn(size, "long")


@of("numpy.random.binomial")
def array_binomial(n, p, size=None):
    return drawn(size, "long")


@of("numpy.random.choice")
def array_choice(a, size=None, *args, **kwargs):
    return drawn(size, element(a) if is_tensor(a) else "long")


@of("numpy.random.permutation")
def array_permutation(x):
    return tensor((x,), "long") if is_number(x) else x


class Drawing:
    def random(self, size=None, dtype=None, **kwargs):
        return array_sampled(size, dtype)

    def standard_normal(self, size=None, dtype=None, **kwargs):
        return array_sampled(size, dtype)

    def normal(self, a=0.0, b=1.0, size=None):
        return drawn(size)

    def uniform(self, a=0.0, b=1.0, size=None):
        return drawn(size)

    def beta(self, a, b, size=None):
        return drawn(size)

    def gamma(self, a, b=1.0, size=None):
        return drawn(size)

    def laplace(self, a=0.0, b=1.0, size=None):
        return drawn(size)

    def lognormal(self, a=0.0, b=1.0, size=None):
        return drawn(size)

    def exponential(self, scale=1.0, size=None):
        return drawn(size)

    def poisson(self, lam=1.0, size=None):
        return drawn(size, "long")

    def binomial(self, n, p, size=None):
        return drawn(size, "long")

    def choice(self, a, size=None, *args, **kwargs):
        return array_choice(a, size)

    def permutation(self, x, *args):
        return array_permutation(x)


@of("numpy.random.Generator")
class Generator(Drawing):
    def integers(self, low, high=None, size=None, **kwargs):
        return drawn(size, "long")


@of("numpy.random.default_rng")
def default_rng(*args):
    return Generator()


@of("numpy.random.RandomState")
class RandomState(Drawing):
    def __init__(self, *args):
        pass

    def rand(self, *size):
        return array_random(*size)

    def randn(self, *size):
        return array_random(*size)

    def randint(self, low, high=None, size=None, dtype=None):
        return drawn(size, "long")

    def random_sample(self, size=None):
        return drawn(size)


@of("numpy.arange")
def array_range(start, end=None, step=1, **kwargs):
    return arange(start, end, step)


@of("numpy.linspace")
def array_spaced(start, stop, num=50, endpoint=True, retstep=False, dtype="double", **kwargs):
    return tensor((num,), dtype)


@of("numpy.meshgrid")
def array_grid(x, y, *more, indexing="xy", **kwargs):
    a, b = shape(x)[0], shape(y)[0]
    if more:
        return unknown()
    before = (a, b) if indexing == "ij" else (b, a)
    return [tensor(before, x), tensor(before, y)]


@of("numpy.{cumsum,cumprod,flip,fliplr,flipud,roll,sort,nan_to_num,round,around,exp,expm1,log,log1p,log2,log10,sin,cos,tan,tanh,sqrt,square,abs,absolute,sign,floor,ceil,rint,clip,copy}")
def array_each(x, *args, **kwargs):
    return tensor(shape(x), x) if is_tensor(x) else between(None, None)


@of("numpy.{maximum,minimum,power,add,subtract,multiply,divide}")
def array_both(x, y, *args, **kwargs):
    return broadcast(x, y) if is_tensor(x) or is_tensor(y) else between(None, None)


@of("numpy.stack")
def array_stack(arrays, axis=0, **kwargs):
    return stack(arrays, axis)


@of("numpy.concatenate")
def array_joined(arrays, axis=0, **kwargs):
    return cat(arrays, axis)


@of("numpy.{vstack,row_stack}")
def array_stacked_rows(arrays, **kwargs):
    rows = [unsqueeze(one, 0) if len(shape(one)) == 1 else one for one in arrays]
    return cat(rows, 0)


@of("numpy.hstack")
def array_stacked_columns(arrays, **kwargs):
    return cat(arrays, 0 if len(shape(arrays[0])) == 1 else 1)


@of("numpy.{transpose,permute_dims}")
def array_turned(a, axes=None):
    return tensor(tuple(reversed(shape(a))), a) if axes is None else permute(a, axes)


@of("numpy.{swapaxes}")
def array_swapped(a, first, second):
    return transpose(a, first, second)


@of("numpy.moveaxis")
def array_moved(a, source, destination):
    dims = list(shape(a))
    if not is_number(source) or not is_number(destination):
        return unknown()
    at, to = axis(source, len(dims)), axis(destination, len(dims))
    kept = dims[:at] + dims[at + 1:]
    return tensor(kept[:to] + [dims[at]] + kept[to:], a)


@of("numpy.reshape")
def array_reshaped(a, shape_, *args, **kwargs):
    return tensor(filled_in(shape(a), as_pair(shape_, 1)), a)


@of("numpy.ravel")
def array_raveled(a, *args):
    return tensor((product_of(shape(a)),), a)


@of("numpy.squeeze")
def array_squeezed(a, axis=None):
    return squeeze(a, axis)


@of("numpy.{sum,mean,std,var,prod,max,min,amax,amin,any,all,median,ptp,nanmean,nansum,nanmax,nanmin,nanstd}")
def array_reduced(a, axis=None, *args, keepdims=False, **kwargs):
    return reduced(a, axis, keepdims) if axis is not None else between(None, None)


@of("numpy.{argmax,argmin}")
def array_best(a, axis=None, *args, keepdims=False, **kwargs):
    return index_of_best(a, axis, keepdims) if axis is not None else between(0, None)


@of("numpy.argsort")
def array_order(a, *args, **kwargs):
    return tensor(shape(a), "long")


@of("numpy.{dot,matmul}")
def array_product(a, b, *args):
    return multiplied(a, b)


@of("numpy.outer")
def array_outer(a, b, *args):
    return tensor((product_of(shape(a)), product_of(shape(b))), a)


@of("numpy.where")
def array_where(condition, x=None, y=None):
    return where(condition, x, y)


@of("numpy.tile")
def array_tiled(a, reps):
    return repeat(a, *as_pair(reps, 1))


@of("numpy.repeat")
def array_repeated(a, repeats, axis=None):
    return repeat_interleave(a, repeats, axis)


@of("numpy.pad")
def array_padded(array, pad_width, *args, **kwargs):
    """A number for all sides, a pair for each axis, or a pair of numbers or one of them for all."""
    before = shape(array)
    if is_number(pad_width):
        return tensor([d + 2 * pad_width for d in before], array)
    if is_number(pad_width[0]):
        return tensor([d + pad_width[0] + pad_width[-1] for d in before], array)
    sides = list(pad_width) * len(before) if len(pad_width) == 1 else pad_width
    return tensor([before[i] + sides[i][0] + sides[i][-1] for i in range(len(before))], array)


@of("numpy.expand_dims")
def array_expanded(a, axis):
    return unsqueeze(a, axis)


@of("numpy.{array,asarray,ascontiguousarray}")
def array_from(data, dtype=None, **kwargs):
    if is_tensor(data):
        return tensor(shape(data), dtype or data)
    if is_number(data):
        return tensor((), dtype or "double")
    if is_list(data):
        return tensor(nested(data), dtype or "double")
    if isinstance(data, Picture):
        return tensor((data.height, data.width) if data.channels == 1 else (data.height, data.width, data.channels), dtype or "byte")
    return unknown()


# ---- turns ----

@of("itertools.cycle")
def again_and_again(iterable):
    return iterable if is_list(iterable) else batches([one for one in iterable][0], None)


@of("itertools.islice")
def first_ones(iterable, *bounds):
    return iterable if is_list(iterable) else batches([one for one in iterable][0], bounds[0] if len(bounds) == 1 else None)


# ---- torch: what is made ----

@of("torch.{float16,half,bfloat16}")
def named_half():
    return "half"


@of("torch.{float32,float}")
def named_float():
    return "float"


@of("torch.{float64,double}")
def named_double():
    return "double"


@of("torch.{long,int64}")
def named_long():
    return "long"


@of("torch.{int,int32}")
def named_int():
    return "int"


@of("torch.{bool}")
def named_bool():
    return "bool"


@of("torch.{uint8,int8}")
def named_byte():
    return "byte"


def sizes_of(size):
    if len(size) == 1:
        return as_pair(size[0], 1)
    return size


@of("torch.{zeros,ones,empty,rand,randn}")
def filled(*size, dtype="float", **kwargs):
    return tensor(kwargs["size"] if "size" in kwargs else sizes_of(size), dtype)


@of("torch.full")
def full(size, fill_value, dtype="float", **kwargs):
    return tensor(as_pair(size, 1), dtype)


@of("torch.randint")
def randint(low, high=None, size=None, dtype="long", **kwargs):
    if size is None:
        size = high
    return tensor(size, dtype)


@of("torch.randperm")
def randperm(n, **kwargs):
    return tensor((n,), "long")


@of("torch.arange")
def arange(start, end=None, step=1, dtype="long", **kwargs):
    if end is None:
        end = start
        start = 0
    return tensor((-(-(end - start) // step),), dtype)


@of("torch.linspace")
def linspace(start, end, steps, **kwargs):
    return tensor((steps,), "float")


@of("torch.eye")
def eye(n, m=None, **kwargs):
    return tensor((n, n if m is None else m), "float")


@of("torch{,.Tensor}.{zeros_like,ones_like,empty_like,rand_like,randn_like,full_like,randint_like}")
def like(x, *args, dtype=None, **kwargs):
    return tensor(shape(x), x if dtype is None else dtype)


@of("torch.{tensor,as_tensor}")
def from_data(data, dtype=None, **kwargs):
    if is_tensor(data):
        return data
    if is_number(data):
        return tensor((), dtype or "float")
    return tensor(nested(data), dtype or "float")


def nested(data):
    if is_number(data):
        return ()
    if is_tensor(data):
        return shape(data)
    return (len(data),) + nested(data[0])


@of("torch.from_numpy")
def from_numpy(x):
    return tensor(shape(x), x)


@of("torch.autograd{,.variable}.Variable")
def variable(x, *args, **kwargs):
    return x


@of("torch{,.cuda}.FloatTensor")
def float_tensor(*size):
    return built(size, "float")


@of("torch{,.cuda}.{BoolTensor,ByteTensor}")
def byte_tensor(*size):
    return built(size, "byte")


@of("torch{,.cuda}.IntTensor")
def int_tensor(*size):
    return built(size, "int")


@of("torch{,.cuda}.LongTensor")
def long_tensor(*size):
    return built(size, "long")


def built(size, element):
    if len(size) == 1 and (is_list(size[0]) or is_tensor(size[0])):
        return tensor(nested(size[0]) if is_list(size[0]) else shape(size[0]), element)
    return tensor(size, element)


@of("torch{,.Tensor}.{diag,diag_embed}")
def diag(x, *args):
    before = shape(x)
    return tensor(before + (before[-1],) if len(before) == 1 else (min(before[0], before[1]),), x)


@of("torch{,.Tensor}.bincount")
def bincount(x, weights=None, minlength=0):
    return tensor((between(minlength, None),), "long" if weights is None else weights)


@of("torch.Tensor.{new,new_zeros,new_ones,new_empty}")
def new_like(x, *size, dtype=None, **kwargs):
    return tensor(sizes_of(size), x if dtype is None else dtype)


@of("torch.Tensor.new_full")
def new_full(x, size, *args, dtype=None, **kwargs):
    return tensor(size, x if dtype is None else dtype)


@of("torch.nn.functional.one_hot")
def one_hot(x, num_classes=-1):
    return tensor(shape(x) + (num_classes,), "long")


# ---- torch: the same shape again ----

@of("torch{,.Tensor}.{abs,exp,log,log2,log10,log1p,expm1,sqrt,rsqrt,sin,cos,tan,tanh,sigmoid,relu,erf,neg,sign,square,reciprocal,clone,clamp,clip,nan_to_num,cumsum,cumprod,flip,roll,tril,triu,floor,ceil,round,frac,contiguous,requires_grad_,bernoulli,logical_not,where_,masked_fill,softmax,log_softmax,dropout,clamp_min,clamp_max}",
    "torch.Tensor.{relu_,clamp_,zero_,fill_,copy_,mul_,add_,sub_,div_,masked_fill_,normal_,uniform_,exp_,sigmoid_,index_fill_,scatter,scatter_add,scatter_,scatter_add_,index_add,index_add_,index_copy_,record_stream,retain_grad,lerp_,addcmul_,addcdiv_,pow_,sqrt_,abs_,neg_,log_,tanh_,clamp_min_,random_}",
    "torch.nn.functional.{relu,gelu,silu,mish,elu,selu,celu,leaky_relu,relu6,hardtanh,hardswish,hardsigmoid,sigmoid,tanh,softplus,softsign,logsigmoid,dropout,dropout2d,dropout3d,alpha_dropout,softmax,log_softmax,softmin,gumbel_softmax,normalize,layer_norm,rms_norm,group_norm,batch_norm,instance_norm,local_response_norm,threshold}",
    "torch{,.Tensor}.{lerp,addcmul,addcdiv}")
def elementwise(x, *args, **kwargs):
    return same(x)


@of("torch{,.Tensor}.{detach,detach_}")
def detach(x):
    return graded(same(x), False)


@of("torch{,.Tensor}.{isnan,isfinite,isinf,eq,ne,lt,le,gt,ge,logical_and,logical_or,isclose}")
def compared(x, *args, **kwargs):
    return tensor(shape(broadcast(x, args[0]) if args else x), "bool")


@of("torch{,.Tensor}.{add,sub,mul,div,true_divide,pow,maximum,minimum,fmod,remainder,atan2,bitwise_and,bitwise_or,floor_divide}")
def combined(x, other, *args, **kwargs):
    return broadcast(x, other)


@of("torch.where", "torch.Tensor.where")
def where(condition, x=None, y=None):
    if x is None:
        return unknown()
    return tensor(shape(broadcast(condition, broadcast(x, y))), element(x) if is_tensor(x) else "float")


@of("torch.Tensor.{float}")
def to_float(x):
    return tensor(shape(x), "float")


@of("torch.Tensor.{half,bfloat16}")
def to_half(x):
    return tensor(shape(x), "half")


@of("torch.Tensor.double")
def to_double(x):
    return tensor(shape(x), "double")


@of("torch.Tensor.long")
def to_long(x):
    return tensor(shape(x), "long")


@of("torch.Tensor.int")
def to_int(x):
    return tensor(shape(x), "int")


@of("torch.Tensor.bool")
def to_bool(x):
    return tensor(shape(x), "bool")


@of("torch.Tensor.byte")
def to_byte(x):
    return tensor(shape(x), "byte")


@of("torch.Tensor.{to,type}")
def to(x, *args, device=None, dtype=None, **kwargs):
    places = 0
    for arg in args:
        if arg == "half" or arg == "float" or arg == "double" or arg == "long" or arg == "int" or arg == "bool" or arg == "byte":
            dtype = arg
        else:
            places = places + 1
    if dtype is None:
        return copied(x, args[0] == "cpu" if args else device == "cpu")
    made = tensor(shape(x), dtype)  # before it crosses the bus
    if places == 0 and device is None:
        return made
    return copied(x, args[0] == "cpu" if places else device == "cpu", made)


@of("torch.Tensor.type_as")
def type_as(x, other):
    return copied(x, False, tensor(shape(x), other))


@of("torch.Tensor.cuda")
def cuda(x, *args, **kwargs):
    return copied(x, False)


@of("torch.Tensor.{cpu,numpy}")
def cpu(x):
    return copied(x, True)


@of("torch.Tensor.pin_memory")
def pin_memory(x):
    return x


# ---- torch: views ----

@of("torch.Tensor.{view,reshape}")
def view(x, *size):
    return tensor(filled_in(shape(x), sizes_of(size)), x)


@of("torch.reshape")
def reshape(x, size):
    return tensor(filled_in(shape(x), size), x)


def filled_in(before, size):
    """-1 stands for what is left; a part of one is no size."""
    known = 1
    for number in size:
        if number != -1:
            known = known * number
    return tuple(product_of(before) / known if number == -1 else number for number in size)


@of("torch.Tensor.item")
def item(x):
    return between(None, None)


@of("torch.Tensor.tolist")
def tolist(x):
    copied(x, True)
    return between(None, None)


@of("torch.Tensor.size")
def size(x, dim=None):
    return shape(x) if dim is None else shape(x)[dim]


@of("torch.Tensor.{dim,ndimension}")
def dim(x):
    return len(shape(x))


@of("torch.Tensor.{numel,nelement}", "torch.numel")
def numel(x):
    return product_of(shape(x))


@of("torch{,.Tensor}.{transpose,swapaxes}")
def transpose(x, *dims, **kwargs):
    """Of an array all of its axes may be told, or none."""
    if not dims and not kwargs:
        return turned(x)
    if len(dims) == 1 or len(dims) > 2:
        return permute(x, *dims)
    made = list(shape(x))
    a, b = dims if dims else (kwargs["dim0"], kwargs["dim1"])
    first, second = made[a], made[b]
    made[a] = second
    made[b] = first
    return tensor(made, x)


@of("torch{,.Tensor}.t")
def turned(x):
    return tensor(tuple(reversed(shape(x))), x)


@of("torch{,.Tensor}.permute")
def permute(x, *dims):
    dims = sizes_of(dims)
    before = shape(x)
    return tensor([before[d] for d in dims], x)


@of("torch{,.Tensor}.unsqueeze")
def unsqueeze(x, dim):
    before = shape(x)
    at = axis(dim, len(before) + 1)
    return tensor(before[:at] + (1,) + before[at:], x)


@of("torch{,.Tensor}.squeeze")
def squeeze(x, dim=None):
    before = shape(x)
    if dim is None:
        return tensor([d for d in before if d != 1], x)
    at = axis(dim, len(before))
    if is_known(before[at]) and before[at] != 1:
        return tensor(before, x)
    return tensor(before[:at] + before[at + 1:], x)


@of("torch{,.Tensor}.flatten")
def flatten(x, start_dim=0, end_dim=-1):
    before = shape(x)
    first = axis(start_dim, len(before))
    last = axis(end_dim, len(before))
    return tensor(before[:first] + (product_of(before[first:last + 1]),) + before[last + 1:], x)


@of("torch{,.Tensor}.unflatten")
def unflatten(x, dim, sizes):
    before = shape(x)
    at = axis(dim, len(before))
    return tensor(before[:at] + tuple(filled_in((before[at],), sizes)) + before[at + 1:], x)


@of("torch.Tensor.expand")
def expand(x, *sizes):
    sizes = sizes_of(sizes)
    before = shape(x)
    more = len(sizes) - len(before)
    return tensor([before[i - more] if sizes[i] == -1 else sizes[i] for i in range(len(sizes))], x)


@of("torch.Tensor.{expand_as,view_as,reshape_as}")
def as_other(x, other):
    return tensor(shape(other), x)


@of("torch.Tensor.repeat")
def repeat(x, *sizes):
    sizes = sizes_of(sizes)
    before = shape(x)
    more = len(sizes) - len(before)
    return tensor([sizes[i] * (before[i - more] if i >= more else 1) for i in range(len(sizes))], x)


@of("torch{,.Tensor}.repeat_interleave")
def repeat_interleave(x, repeats, dim=None, **kwargs):
    before = shape(x)
    if dim is None:
        return tensor((product_of(before) * repeats,), x)
    at = axis(dim, len(before))
    return tensor(before[:at] + (before[at] * repeats,) + before[at + 1:], x)


@of("torch{,.Tensor}.{narrow}")
def narrow(x, dim, start, length):
    before = shape(x)
    at = axis(dim, len(before))
    return tensor(before[:at] + (length,) + before[at + 1:], x)


@of("torch{,.Tensor}.select")
def select(x, dim, index):
    before = shape(x)
    at = axis(dim, len(before))
    return tensor(before[:at] + before[at + 1:], x)


@of("torch{,.Tensor}.unbind")
def unbind(x, dim=0):
    before = shape(x)
    at = axis(dim, len(before))
    return tuple(tensor(before[:at] + before[at + 1:], x) for _ in range(before[at]))


@of("torch{,.Tensor}.chunk")
def chunk(x, chunks, dim=0):
    before = shape(x)
    at = axis(dim, len(before))
    each = -(-before[at] // chunks)
    return tuple(tensor(before[:at] + (min(each, before[at] - i * each),) + before[at + 1:], x) for i in range(chunks))


@of("torch{,.Tensor}.{split}")
def split(x, sizes, dim=0):
    before = shape(x)
    at = axis(dim, len(before))
    if is_number(sizes):
        count = -(-before[at] // sizes)
        return tuple(tensor(before[:at] + (min(sizes, before[at] - i * sizes),) + before[at + 1:], x) for i in range(count))
    return tuple(tensor(before[:at] + (size,) + before[at + 1:], x) for size in sizes)


@of("torch.{cat,concat}")
def cat(tensors, dim=0, axis_=None):
    before = shape(tensors[0])
    at = axis(dim, len(before))
    return tensor(before[:at] + (sum(shape(one)[at] for one in tensors),) + before[at + 1:], tensors[0])


@of("torch.stack")
def stack(tensors, dim=0):
    before = shape(tensors[0])
    at = axis(dim, len(before) + 1)
    return tensor(before[:at] + (len(tensors),) + before[at:], tensors[0])


@of("torch{,.Tensor}.{gather}")
def gather(x, dim, index, **kwargs):
    return tensor(shape(index), x)


@of("torch{,.Tensor}.index_select")
def index_select(x, dim, index):
    before = shape(x)
    at = axis(dim, len(before))
    return tensor(before[:at] + shape(index) + before[at + 1:], x)


# ---- torch: less ----

def without(before, dims, keepdim):
    gone = [axis(d, len(before)) for d in as_pair(dims, 1)]
    if keepdim:
        return [1 if i in gone else before[i] for i in range(len(before))]
    return [before[i] for i in range(len(before)) if i not in gone]


@of("torch{,.Tensor}.{sum,mean,prod,nanmean,nansum,logsumexp,norm,all,any,std,var,amax,amin,count_nonzero}")
def reduced(x, dim=None, keepdim=False, dtype=None, axis=None, keepdims=False, **kwargs):
    dim, keepdim = axis if dim is None else dim, keepdim or keepdims
    if dim is None or is_text(dim):
        return tensor((), x)
    return tensor(without(shape(x), dim, keepdim), x)


@of("torch{,.Tensor}.{argmax,argmin}")
def index_of_best(x, dim=None, keepdim=False, axis=None, keepdims=False):
    dim, keepdim = axis if dim is None else dim, keepdim or keepdims
    if dim is None:
        return tensor((), "long")
    return tensor(without(shape(x), dim, keepdim), "long")


@of("torch{,.Tensor}.{max,min,median,mode}")
def best(x, dim=None, keepdim=False, axis=None, keepdims=False, **kwargs):
    if axis is not None:  # of an array
        return reduced(x, axis, keepdim or keepdims)
    if dim is None:
        return tensor((), x)
    if is_tensor(dim):
        return broadcast(x, dim)
    made = without(shape(x), dim, keepdim)
    return tensor(made, x), tensor(made, "long")


@of("torch{,.Tensor}.topk")
def topk(x, k, dim=-1, *args, **kwargs):
    before = shape(x)
    at = axis(dim, len(before))
    made = before[:at] + (k,) + before[at + 1:]
    return tensor(made, x), tensor(made, "long")


@of("torch{,.Tensor}.sort")
def sort(x, *args, **kwargs):
    return tensor(shape(x), x), tensor(shape(x), "long")


@of("torch{,.Tensor}.argsort")
def argsort(x, *args, **kwargs):
    return tensor(shape(x), "long")


@of("torch{,.Tensor}.multinomial")
def multinomial(x, num_samples, replacement=False, **kwargs):
    return tensor(shape(x)[:-1] + (num_samples,), "long")


@of("torch.nn.functional.glu")
def glu(x, dim=-1):
    before = shape(x)
    at = axis(dim, len(before))
    return tensor(before[:at] + (before[at] // 2,) + before[at + 1:], x)


@of("torch{,.Tensor}.diagonal")
def diagonal(x, *args):
    before = shape(x)
    return tensor(before[2:] + (min(before[0], before[1]),), x)


@of("torch.cdist")
def cdist(a, b, *args, **kwargs):
    first, second = shape(a), shape(b)
    gemm(first[-2], first[-1], second[-2], product_of(first[:-2]))
    return tensor(first[:-1] + (second[-2],), a)


# ---- torch: products ----

def multiplied(a, b):
    first, second = shape(a), shape(b)
    kind = cast("half", a, b) or a
    cleared(kind)
    if len(first) == 1 and len(second) == 1:
        gemm(1, first[0], 1)
        return tensor((), kind)
    if len(second) == 1:
        gemm(product_of(first[:-1]), first[-1], 1)
        return tensor(first[:-1], kind)
    if len(first) == 1:
        gemm(1, first[0], second[-1], product_of(second[:-2]))
        return tensor(second[:-2] + (second[-1],), kind)
    if len(second) == 2:
        gemm(product_of(first[:-1]), first[-1], second[-1])
        return tensor(first[:-1] + (second[-1],), kind)
    batch = shape(broadcast(tensor(first[:-2], a), tensor(second[:-2], a)))
    gemm(first[-2], first[-1], second[-1], product_of(batch))
    return tensor(batch + (first[-2], second[-1]), kind)


@of("torch{,.Tensor}.{matmul,mm,bmm,mv,dot}", "torch.Tensor.__matmul__")
def matmul(a, b, **kwargs):
    return multiplied(a, b)


@of("torch{,.Tensor}.{addmm,baddbmm,addmv}")
def addmm(x, a, b, **kwargs):
    return multiplied(a, b)


@of("torch.outer")
def outer(a, b):
    return tensor(shape(a) + shape(b), a)


@of("torch.nn.functional.linear")
def linear(x, weight, bias=None):
    before = shape(x)
    kind = cast("half", x, weight, bias) or x
    cleared(kind)
    gemm(product_of(before[:-1]), before[-1], shape(weight)[0])
    return tensor(before[:-1] + (shape(weight)[0],), kind)


@of("torch.nn.functional.scaled_dot_product_attention")
def scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, **kwargs):
    kind = cast("half", q, k, v) or q
    before = shape(q)
    attention(product_of(before[:-2]), before[-2], shape(k)[-2], before[-1], is_causal)
    return tensor(before[:-1] + (shape(v)[-1],), kind)


@of("torch.nn.functional.embedding")
def embedding(x, weight, *args, **kwargs):
    return tensor(shape(x) + (shape(weight)[1],), weight)


def cleared(kind, products=1):
    """cuBLAS clears a counter or workspace before most products on tensor cores. Counted in the traces of calib/validate/results:
    0.9 a product forward, and about one a layer backward beyond what the stubs say; none of float32."""
    if on_tensor_cores(kind):
        beside(0.9 * products, products)


def mixed(products):
    """A model counted as one in float32 (rules/api/launches.tsv), under autocast: casts of weights, biases and inputs and back,
    workspaces cleared, sums over pieces of a product. Counted in the trace of sentence_pairs, of 50 products: 132 operations more
    forward and 308 backward."""
    if cast("half") is not None:
        beside(2.6 * products, 6 * products)


# ---- torch: windows ----

def windows(pixels, k, m, kernel, groups, elements, kind):
    """A convolution of so many windows; kernel: elements of one in a channel. Of many groups, each is too small for the tensor
    cores: measured (rates.py), 96 channels of 7x7 and 32 of 3x3 take 143 and 48 ps an output forward and back, half or float."""
    if groups >= 8:
        moves((8.4 if kind == "half" else 4.2) * kernel ** 0.5 * pixels * m, 1)
    else:
        convolution(pixels, k // groups * kernel, m, elements)


def layouts(kernel, groups):
    """cuDNN computes with channels last: of tensors that are not laid out so it converts input and weights, clears what a kernel
    adds up in, and converts the result, twice as often backward. Counted in the traces of calib/validate/results: 3.9 operations
    forward and 8.6 backward in the median of 15 loops, 1.8 and 4.3 in three with channels last, 2 and 4.3 of kernels of one
    element. Their bytes are in the rates of convolutions."""
    if groups < 8 and product_of(kernel) > 1:
        beside(2, 4)


def convolved(x, out, kernel, stride, padding, dilation, groups, rank, kind):
    before = shape(x)
    kernel, stride, dilation = as_pair(kernel, rank), as_pair(stride, rank), as_pair(dilation, rank)
    if is_text(padding):
        padding = tuple(dilation[i] * (kernel[i] - 1) // 2 for i in range(rank))
    padding = as_pair(padding, rank)
    spatial = tuple((before[len(before) - rank + i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in range(rank))
    lead = before[:-rank - 1]
    channels = before[-rank - 1]
    windows(product_of(lead) * product_of(spatial), channels, out, product_of(kernel), groups, product_of(before), kind if is_text(kind) else element(x))
    return lead + (out,) + spatial


@of("torch.nn.functional.{conv1d,conv2d,conv3d}")
def conv(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    kind = cast("half", x, weight, bias) or x
    filters = shape(weight)
    layouts(filters[2:], groups)
    return tensor(convolved(x, filters[0], filters[2:], stride, padding, dilation, groups, len(filters) - 2, kind), kind)


def pooled(x, kernel, stride, padding, dilation, rank, ceil_mode=False):
    before = shape(x)
    stride = kernel if stride is None else stride
    kernel, stride, padding, dilation = as_pair(kernel, rank), as_pair(stride, rank), as_pair(padding, rank), as_pair(dilation, rank)
    more = 0
    spatial = tuple((before[len(before) - rank + i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1 + (stride[i] - 1 if ceil_mode else 0)) // stride[i] + 1 for i in range(rank))
    return tensor(before[:-rank] + spatial, x)


@of("torch.nn.functional.{max_pool1d,avg_pool1d}")
def pool1d(x, kernel_size, stride=None, padding=0, *args, **kwargs):
    return pooled(x, kernel_size, stride, padding, 1, 1)


@of("torch.nn.functional.{max_pool2d,avg_pool2d}")
def pool2d(x, kernel_size, stride=None, padding=0, *args, **kwargs):
    return pooled(x, kernel_size, stride, padding, 1, 2)


@of("torch.nn.functional.{max_pool3d,avg_pool3d}")
def pool3d(x, kernel_size, stride=None, padding=0, *args, **kwargs):
    return pooled(x, kernel_size, stride, padding, 1, 3)


@of("torch.nn.functional.{adaptive_avg_pool1d,adaptive_max_pool1d}")
def adaptive1d(x, output_size):
    return tensor(shape(x)[:-1] + as_pair(output_size, 1), x)


@of("torch.nn.functional.{adaptive_avg_pool2d,adaptive_max_pool2d}")
def adaptive2d(x, output_size):
    return tensor(shape(x)[:-2] + as_pair(output_size, 2), x)


@of("torch.nn.functional.{interpolate,upsample}")
def interpolate(x, size=None, scale_factor=None, *args, **kwargs):
    before = shape(x)
    rank = len(before) - 2
    if size is not None:
        return tensor(before[:2] + as_pair(size, rank), x)
    scale = as_pair(scale_factor, rank)
    return tensor(before[:2] + tuple(before[2 + i] * scale[i] // 1 for i in range(rank)), x)


@of("torch.nn.functional.pad")
def pad(x, pad, *args, **kwargs):
    dims = list(shape(x))
    for i in range(len(pad) // 2):
        at = len(dims) - 1 - i
        dims[at] = dims[at] + pad[2 * i] + pad[2 * i + 1]
    return tensor(dims, x)


@of("torch.nn.functional.unfold")
def unfold(x, kernel_size, dilation=1, padding=0, stride=1):
    before = shape(x)
    made = shape(pooled(x, kernel_size, stride, padding, dilation, 2))
    return tensor((before[0], before[1] * product_of(as_pair(kernel_size, 2)), made[-1] * made[-2]), x)


@of("torch.nn.functional.pixel_shuffle")
def pixel_shuffle(x, upscale_factor):
    before = shape(x)
    r = upscale_factor
    return tensor((before[0], before[1] // (r * r), before[2] * r, before[3] * r), x)


# ---- torch: losses ----

@of("torch.nn.functional.{cross_entropy,nll_loss,mse_loss,l1_loss,smooth_l1_loss,huber_loss,binary_cross_entropy,binary_cross_entropy_with_logits,kl_div,cosine_embedding_loss,triplet_margin_loss,margin_ranking_loss,soft_margin_loss,hinge_embedding_loss,ctc_loss,poisson_nll_loss,gaussian_nll_loss}")
def loss(x, target=None, *args, reduction="mean", **kwargs):
    kind = cast("float", x) or x
    if reduction == "none":
        return tensor(shape(target), kind)
    return tensor((), kind)


@of("torch{,.nn.functional}.cosine_similarity")
def cosine_similarity(a, b, dim=1, **kwargs):
    return tensor(without(shape(broadcast(a, b)), dim, False), a)


# ---- tensors ----

@of("torch.Tensor")
class Tensor:
    @property
    def shape(self):
        return shape(self)

    @property
    def ndim(self):
        return len(shape(self))

    @property
    def dtype(self):
        return element(self)

    @property
    def T(self):
        return tensor(tuple(reversed(shape(self))), self)

    @property
    def mT(self):
        before = shape(self)
        return tensor(before[:-2] + (before[-1], before[-2]), self)

    @property
    def data(self):
        return self

    def astype(self, dtype=None, **kwargs):
        return tensor(shape(self), array_element(dtype, "unknown"))

    def ravel(self, *args):
        return tensor((product_of(shape(self)),), self)

    def copy(self):
        return self

    @property
    def grad(self):
        return tensor(shape(self), self)


# ---- modules ----

def retype(module, element):
    if is_text(element):
        retyped(parameters(module), element)
    return module


@of("torch.nn.Module")
class Module:
    training = True
    channels_last = False

    def parameters(self, recurse=True):
        return parameters(self)

    def named_parameters(self, *args, **kwargs):
        return [("", one) for one in parameters(self)]

    def state_dict(self, *args, **kwargs):
        return State(elements_of(parameters(self)))

    def to(self, *args, dtype=None, memory_format=None, **kwargs):
        for arg in args:
            if arg == "half" or arg == "float" or arg == "double":
                dtype = arg
        if memory_format is not None:
            spread(self, "channels_last", True)
        return retype(self, dtype)

    def half(self):
        return retype(self, "half")

    def bfloat16(self):
        return retype(self, "half")

    def double(self):
        return retype(self, "double")

    def cuda(self, *args):
        return self

    def cpu(self):
        return self

    def float(self):
        return retype(self, "float")

    def train(self, mode=True):
        return spread(self, "training", mode)

    def eval(self):
        return spread(self, "training", False)

    def requires_grad_(self, on=True):
        for one in parameters(self):
            graded(one, on)
        return self

    def apply(self, fn):
        return self

    def zero_grad(self, set_to_none=True):
        return None

    def register_buffer(self, name, value, persistent=True):
        setattr(self, name, value)

    def register_parameter(self, name, value):
        setattr(self, name, value)

    def add_module(self, name, value):
        setattr(self, name, value)

    def modules(self):
        return unknown()

    def load_state_dict(self, *args, **kwargs):
        return None


@of("torch.compile", "torch.nn.{DataParallel,parallel.DistributedDataParallel}", "torch.jit.script")
def wrapped(module, *args, **kwargs):
    return module


@of("torch.nn.{Parameter,parameter.Parameter}")
def as_parameter(x, requires_grad=True):
    return parameter(*shape(x))


@of("torch.nn.Sequential")
class Sequential(Module):
    def __init__(self, *parts):
        self.parts = list(parts)
        if len(self.parts) == 1 and not is_tensor(self.parts[0]) and isinstance(self.parts[0], dict):
            self.parts = list(self.parts[0].values())

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def __iter__(self):
        return self.parts

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, index):
        return self.parts[index]

    def __setitem__(self, index, part):
        self.parts[index] = part

    def append(self, part):
        self.parts.append(part)

    def add_module(self, name, part):
        self.parts.append(part)


@of("torch.nn.{ModuleList,ParameterList}")
class ModuleList(Module):
    def __init__(self, parts=None):
        self.parts = [] if parts is None else list(parts)

    def __iter__(self):
        return self.parts

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, index):
        return self.parts[index]

    def __setitem__(self, index, part):
        self.parts[index] = part

    def append(self, part):
        self.parts.append(part)
        return self

    def extend(self, parts):
        self.parts.extend(parts)
        return self


@of("torch.nn.{ModuleDict,ParameterDict}")
class ModuleDict(Module):
    def __init__(self, parts=None):
        self.parts = {} if parts is None else dict(parts)

    def __iter__(self):
        return list(self.parts.keys())

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, key):
        return self.parts[key]

    def __setitem__(self, key, part):
        self.parts[key] = part

    def __getattr__(self, name):
        return self.parts[name]

    def items(self):
        return self.parts.items()

    def values(self):
        return self.parts.values()

    def keys(self):
        return self.parts.keys()


@of("torch.nn.Linear")
class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, **kwargs):
        self.in_features = in_features
        self.out_features = out_features
        self.weight = parameter(out_features, in_features)
        self.bias = parameter(out_features) if bias else None

    def __call__(self, input):
        before = shape(input)
        kind = cast("half", input, self.weight, self.bias) or self.weight
        cleared(kind)
        gemm(product_of(before[:-1]), self.in_features, self.out_features)
        return tensor(before[:-1] + (self.out_features,), kind)


@of("torch.nn.Bilinear")
class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, **kwargs):
        self.out_features = out_features
        self.weight = parameter(out_features, in1_features, in2_features)
        self.bias = parameter(out_features) if bias else None

    def __call__(self, a, b):
        return tensor(shape(a)[:-1] + (self.out_features,), a)


class Convolution(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, *args, **kwargs):
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = as_pair(kernel_size, self.rank)
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.weight = parameter(*((out_channels, in_channels // groups) + self.kernel_size))
        self.bias = parameter(out_channels) if bias else None

    def __call__(self, input):
        kind = cast("half", input, self.weight, self.bias) or self.weight
        if not self.channels_last:
            layouts(self.kernel_size, self.groups)
        return tensor(convolved(input, self.out_channels, self.kernel_size, self.stride, self.padding, self.dilation, self.groups, self.rank, kind), kind)


@of("torch.nn.Conv1d")
class Conv1d(Convolution):
    rank = 1


@of("torch.nn.Conv2d")
class Conv2d(Convolution):
    rank = 2


@of("torch.nn.Conv3d")
class Conv3d(Convolution):
    rank = 3


class TransposedConvolution(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, *args, **kwargs):
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = as_pair(kernel_size, self.rank), as_pair(stride, self.rank)
        self.padding, self.more, self.dilation = as_pair(padding, self.rank), as_pair(output_padding, self.rank), as_pair(dilation, self.rank)
        self.weight = parameter(*((in_channels, out_channels // groups) + self.kernel_size))
        self.bias = parameter(out_channels) if bias else None

    def __call__(self, input):
        kind = cast("half", input, self.weight, self.bias) or self.weight
        before = shape(input)
        rank = self.rank
        if not self.channels_last:
            layouts(self.kernel_size, self.groups)
        spatial = tuple((before[2 + i] - 1) * self.stride[i] - 2 * self.padding[i] + self.dilation[i] * (self.kernel_size[i] - 1) + self.more[i] + 1 for i in range(rank))
        convolution(before[0] * product_of(before[2:]), before[1] // self.groups, self.out_channels * product_of(self.kernel_size), product_of(before))
        return tensor((before[0], self.out_channels) + spatial, kind)


@of("torch.nn.ConvTranspose1d")
class ConvTranspose1d(TransposedConvolution):
    rank = 1


@of("torch.nn.ConvTranspose2d")
class ConvTranspose2d(TransposedConvolution):
    rank = 2


@of("torch.nn.ConvTranspose3d")
class ConvTranspose3d(TransposedConvolution):
    rank = 3


def normalise_channels(elements, channels, kind, last):
    """In training: three passes over memory and about six back; but a block of the GPU does a channel, and few channels leave
    most of it idle, unless they come last. Measured (rates.py): 64 channels forward 1,300 GB/s, back 870; half is no quicker."""
    slow = 1040 if kind == "half" else 400
    moves(elements * (2.7 if last else max(2.7, slow / channels)), 1)


@of("torch.nn.{BatchNorm1d,BatchNorm2d,BatchNorm3d,SyncBatchNorm}")
class BatchNorm(Module):
    def __init__(self, num_features, *args, affine=True, **kwargs):
        self.weight = parameter(num_features) if affine else None
        self.bias = parameter(num_features) if affine else None

    def __call__(self, input):
        if self.training:
            normalise_channels(product_of(shape(input)), shape(input)[1], element(input), self.channels_last)
        return same(input)


@of("torch.nn.{InstanceNorm1d,InstanceNorm2d,InstanceNorm3d}")
class InstanceNorm(Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, *args, **kwargs):
        self.weight = parameter(num_features) if affine else None
        self.bias = parameter(num_features) if affine else None

    def __call__(self, input):
        return same(input)


@of("torch.nn.GroupNorm")
class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, **kwargs):
        self.weight = parameter(num_channels) if affine else None
        self.bias = parameter(num_channels) if affine else None

    def __call__(self, input):
        return tensor(shape(input), cast("float", input) or input)


@of("torch.nn.LayerNorm")
class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, **kwargs):
        dims = as_pair(normalized_shape, 1)
        self.weight = parameter(*dims) if elementwise_affine else None
        self.bias = parameter(*dims) if elementwise_affine and bias else None

    def __call__(self, input):
        return tensor(shape(input), cast("float", input) or input)


@of("torch.nn.RMSNorm")
class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, **kwargs):
        self.weight = parameter(*as_pair(normalized_shape, 1)) if elementwise_affine else None

    def __call__(self, input):
        return tensor(shape(input), cast("float", input) or input)


@of("torch.nn.Embedding")
class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, *args, **kwargs):
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = parameter(num_embeddings, embedding_dim)

    def __call__(self, input):
        return tensor(shape(input) + (self.embedding_dim,), self.weight)


@of("torch.nn.EmbeddingBag")
class EmbeddingBag(Module):
    def __init__(self, num_embeddings, embedding_dim, *args, **kwargs):
        self.embedding_dim = embedding_dim
        self.weight = parameter(num_embeddings, embedding_dim)

    def __call__(self, input, offsets=None, *args, **kwargs):
        rows = shape(input)[0] if offsets is None else shape(offsets)[0]
        return tensor((rows, self.embedding_dim), self.weight)


@of("torch.nn.{ReLU,ReLU6,GELU,SiLU,Mish,ELU,SELU,CELU,LeakyReLU,Hardtanh,Hardswish,Hardsigmoid,Sigmoid,Tanh,Softplus,Softsign,LogSigmoid,Identity,Threshold,Tanhshrink,Softshrink,Hardshrink}")
class Activation(Module):
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, input):
        return same(input)


@of("torch.nn.{Softmax,LogSoftmax,Softmin,Softmax2d}")
class Softmax(Module):
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, input):
        return tensor(shape(input), cast("float", input) or input)


@of("torch.nn.PReLU")
class PReLU(Module):
    def __init__(self, num_parameters=1, *args, **kwargs):
        self.weight = parameter(num_parameters)

    def __call__(self, input):
        return same(input)


@of("torch.nn.{Dropout,Dropout1d,Dropout2d,Dropout3d,AlphaDropout}")
class Dropout(Module):
    def __init__(self, p=0.5, *args, **kwargs):
        self.p = p

    def __call__(self, input):
        return same(input)


@of("torch.nn.Flatten")
class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        self.start_dim, self.end_dim = start_dim, end_dim

    def __call__(self, input):
        return flatten(input, self.start_dim, self.end_dim)


@of("torch.nn.Unflatten")
class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        self.dim, self.sizes = dim, unflattened_size

    def __call__(self, input):
        return unflatten(input, self.dim, self.sizes)


class Pool(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False, *args, **kwargs):
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride, padding, dilation
        self.ceil_mode = ceil_mode

    def __call__(self, input):
        return pooled(input, self.kernel_size, self.stride, self.padding, self.dilation, self.rank, self.ceil_mode)


@of("torch.nn.MaxPool1d")
class MaxPool1d(Pool):
    rank = 1


@of("torch.nn.MaxPool2d")
class MaxPool2d(Pool):
    rank = 2


@of("torch.nn.MaxPool3d")
class MaxPool3d(Pool):
    rank = 3


class AveragePool(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, *args, **kwargs):
        self.kernel_size, self.stride, self.padding, self.ceil_mode = kernel_size, stride, padding, ceil_mode

    def __call__(self, input):
        return pooled(input, self.kernel_size, self.stride, self.padding, 1, self.rank, self.ceil_mode)


@of("torch.nn.AvgPool1d")
class AvgPool1d(AveragePool):
    rank = 1


@of("torch.nn.AvgPool2d")
class AvgPool2d(AveragePool):
    rank = 2


@of("torch.nn.AvgPool3d")
class AvgPool3d(AveragePool):
    rank = 3


class AdaptivePool(Module):
    def __init__(self, output_size, *args, **kwargs):
        self.output_size = output_size

    def __call__(self, input):
        return tensor(shape(input)[:-self.rank] + as_pair(self.output_size, self.rank), input)


@of("torch.nn.{AdaptiveAvgPool1d,AdaptiveMaxPool1d}")
class AdaptivePool1d(AdaptivePool):
    rank = 1


@of("torch.nn.{AdaptiveAvgPool2d,AdaptiveMaxPool2d}")
class AdaptivePool2d(AdaptivePool):
    rank = 2


@of("torch.nn.{AdaptiveAvgPool3d,AdaptiveMaxPool3d}")
class AdaptivePool3d(AdaptivePool):
    rank = 3


@of("torch.nn.{Upsample,UpsamplingNearest2d,UpsamplingBilinear2d}")
class Upsample(Module):
    def __init__(self, size=None, scale_factor=None, *args, **kwargs):
        self.size, self.scale_factor = size, scale_factor

    def __call__(self, input):
        return interpolate(input, self.size, self.scale_factor)


@of("torch.nn.PixelShuffle")
class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        self.factor = upscale_factor

    def __call__(self, input):
        return pixel_shuffle(input, self.factor)


@of("torch.nn.{ZeroPad2d,ReflectionPad2d,ReplicationPad2d,ConstantPad2d}")
class Pad2d(Module):
    def __init__(self, padding, *args):
        self.padding = as_pair(padding, 4)

    def __call__(self, input):
        return pad(input, self.padding)


class Recurrent(Module):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, *args, **kwargs):
        self.hidden_size, self.num_layers, self.batch_first = hidden_size, num_layers, batch_first
        self.directions = 2 if bidirectional else 1
        self.input_size = input_size
        self.weights = []
        for layer in range(num_layers):
            inner = input_size if layer == 0 else hidden_size * self.directions
            for direction in range(self.directions):
                self.weights.append(parameter(self.gates * hidden_size, inner))
                self.weights.append(parameter(self.gates * hidden_size, hidden_size))
                if bias:
                    self.weights.append(parameter(self.gates * hidden_size))
                    self.weights.append(parameter(self.gates * hidden_size))

    def run(self, input):
        before = shape(input)
        steps, batch = (before[1], before[0]) if self.batch_first else (before[0], before[1])
        # Two kernels a step and three back, queued without Python between: as much host time as one operation and one and a half.
        turns = steps * self.num_layers * self.directions
        recurrent(turns, batch, self.input_size + self.hidden_size, self.gates * self.hidden_size)
        launches(turns + 4, 1.5 * turns + 8)
        out = tensor(before[:-1] + (self.hidden_size * self.directions,), input)
        hidden = tensor((self.num_layers * self.directions, batch, self.hidden_size), input)
        return out, hidden


@of("torch.nn.LSTM")
class LSTM(Recurrent):
    gates = 4

    def __call__(self, input, state=None):
        out, hidden = self.run(input)
        return out, (hidden, hidden)


@of("torch.nn.GRU")
class GRU(Recurrent):
    gates = 3

    def __call__(self, input, state=None):
        return self.run(input)


@of("torch.nn.RNN")
class RNN(Recurrent):
    gates = 1

    def __call__(self, input, state=None):
        return self.run(input)


class Cell(Module):
    def __init__(self, input_size, hidden_size, bias=True, **kwargs):
        self.input_size, self.hidden_size = input_size, hidden_size
        self.weight_ih = parameter(self.gates * hidden_size, input_size)
        self.weight_hh = parameter(self.gates * hidden_size, hidden_size)
        self.bias_ih = parameter(self.gates * hidden_size) if bias else None
        self.bias_hh = parameter(self.gates * hidden_size) if bias else None

    def run(self, input):
        gemm(shape(input)[0], self.input_size, self.gates * self.hidden_size)
        gemm(shape(input)[0], self.hidden_size, self.gates * self.hidden_size)
        return tensor((shape(input)[0], self.hidden_size), input)


@of("torch.nn.LSTMCell")
class LSTMCell(Cell):
    gates = 4

    def __call__(self, input, state=None):
        out = self.run(input)
        return out, out


@of("torch.nn.GRUCell")
class GRUCell(Cell):
    gates = 3

    def __call__(self, input, state=None):
        return self.run(input)


@of("torch.nn.RNNCell")
class RNNCell(Cell):
    gates = 1

    def __call__(self, input, state=None):
        return self.run(input)


@of("torch.nn.MultiheadAttention")
class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, **kwargs):
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        self.in_proj_weight = parameter(3 * embed_dim, embed_dim)
        self.in_proj_bias = parameter(3 * embed_dim) if bias else None
        self.out_weight = parameter(embed_dim, embed_dim)
        self.out_bias = parameter(embed_dim) if bias else None

    def run(self, query, key):
        before, other = shape(query), shape(key)
        batch, q, k = (before[0], before[1], other[1]) if self.batch_first else (before[1], before[0], other[0])
        kind = cast("half", query, self.in_proj_weight, self.in_proj_bias, self.out_weight, self.out_bias) or self.in_proj_weight
        cleared(kind, 2)
        gemm(batch * q, self.embed_dim, 3 * self.embed_dim)
        attention(batch * self.num_heads, q, k, self.embed_dim // self.num_heads)
        gemm(batch * q, self.embed_dim, self.embed_dim)
        return tensor(before, kind)

    def __call__(self, query, key=None, value=None, *args, need_weights=True, **kwargs):
        out = self.run(query, query if key is None else key)
        return out, unknown() if need_weights else None


# ---- models of libraries ----

@of("timm.create_model")
def create_model(model_name, *args, features_only=False, global_pool=None, **kwargs):
    if features_only or global_pool == "":
        return unknown()
    return make(api(model_name.split(".")[0], "timm.models"), **kwargs)


PICTURE_MODELS = "torchvision.models", "torchvision.models.segmentation", "torchvision.models.detection"


@of("torchvision.models.get_model")
def get_model(name, *args, **kwargs):
    return make(api(name, *PICTURE_MODELS), **kwargs)


@of("torch.hub.load")
def from_hub(repo_or_dir, model, *args, **kwargs):
    return make(api(model, *PICTURE_MODELS), **kwargs) if "pytorch/vision" in repo_or_dir else unknown()


class PictureModel(Module):
    """What stands behind the last of its convolutions has a name of its own: programs put another part in its place."""
    closes = "classifier"

    def close(self, inputs, classes):
        self.num_features = inputs
        setattr(self, self.closes, self.head(inputs, classes) if classes else Activation())

    def head(self, inputs, classes):
        return Linear(inputs, classes)

    def closed(self, x):
        return make(getattr(self, self.closes), x)

    def get_classifier(self):
        return getattr(self, self.closes)

    def reset_classifier(self, num_classes, *args, **kwargs):
        self.close(self.num_features, num_classes)


class ResidualNet(PictureModel):
    """Convolutions, each with a normalisation that is read twice and written once, and a ReLU in place."""
    groups, closes = 1, "fc"

    def __init__(self, *args, num_classes=1000, **kwargs):
        self.all = [parameter(64, 3, 7, 7), parameter(64), parameter(64)]
        inputs = 64
        for stage, blocks in enumerate(self.blocks):
            width = 64 * 2 ** stage
            outputs = width * self.wider
            for block in range(blocks):
                for k, m, kernel, wide in self.convolutions(inputs, width, outputs, block):
                    self.all.append(parameter(m, k // (self.groups if kernel == 3 else 1), kernel, kernel))
                    self.all.append(parameter(m))
                    self.all.append(parameter(m))
                inputs = outputs
        self.close(inputs, num_classes)

    # Channels before and after, the kernel, and whether all pixels from before the stage are still there.
    def convolutions(self, inputs, width, outputs, block):
        into = width * self.times
        path = [(inputs, into, 1, True), (into, into, 3, False), (into, outputs, 1, False)] if self.wider == 4 else [(inputs, width, 3, False), (width, outputs, 3, False)]
        return path if block or inputs == outputs else path + [(inputs, outputs, 1, False)]

    def layer(self, n, side, k, m, kernel, before):
        windows(n * side * side, k, m, kernel * kernel, self.groups if kernel == 3 else 1, n * before * before * k, self.kind)
        if self.training:
            normalise_channels(n * side * side * m, m, self.kind, self.channels_last)
        else:
            moves(2 * n * side * side * m, 1)
        moves(2 * n * side * side * m, 1)

    def __call__(self, x):
        kind = cast("half", x, self.all[0]) or x
        self.kind = kind if is_text(kind) else element(kind)
        n, side, inputs = shape(x)[0], shape(x)[-1] // 2, 64
        self.layer(n, side, 3, 64, 7, 2 * side)
        side = side // 2
        for stage, blocks in enumerate(self.blocks):
            width = 64 * 2 ** stage
            outputs = width * self.wider
            for block in range(blocks):
                before = side
                if stage and not block:
                    side = side // 2
                for k, m, kernel, wide in self.convolutions(inputs, width, outputs, block):
                    self.layer(n, before if wide else side, k, m, kernel, before if k == inputs else side)
                moves(3 * n * side * side * outputs, 1)
                inputs = outputs
        return self.closed(tensor((n, inputs), kind))


class Basic(ResidualNet):
    wider, times = 1, 1


class Bottleneck(ResidualNet):
    wider, times = 4, 1


@of("torchvision.models{,.resnet}.resnet18", "timm.models.resnet18")
class ResNet18(Basic):
    blocks = (2, 2, 2, 2)


@of("torchvision.models{,.resnet}.resnet34", "timm.models.resnet34")
class ResNet34(Basic):
    blocks = (3, 4, 6, 3)


@of("torchvision.models{,.resnet}.resnet50", "timm.models.resnet50")
class ResNet50(Bottleneck):
    blocks = (3, 4, 6, 3)


@of("torchvision.models{,.resnet}.resnet101", "timm.models.resnet101")
class ResNet101(Bottleneck):
    blocks = (3, 4, 23, 3)


@of("torchvision.models{,.resnet}.resnet152")
class ResNet152(Bottleneck):
    blocks = (3, 8, 36, 3)


@of("torchvision.models{,.resnet}.wide_resnet50_2")
class WideResNet50(Bottleneck):
    blocks, times = (3, 4, 6, 3), 2


@of("torchvision.models{,.resnet}.wide_resnet101_2")
class WideResNet101(Bottleneck):
    blocks, times = (3, 4, 23, 3), 2


@of("torchvision.models{,.resnet}.resnext50_32x4d", "timm.models.resnext50_32x4d")
class ResNeXt50(Bottleneck):
    blocks, times, groups = (3, 4, 6, 3), 2, 32


@of("torchvision.models{,.resnet}.resnext101_32x8d")
class ResNeXt101(Bottleneck):
    blocks, times, groups = (3, 4, 23, 3), 4, 32


class ConvolutionNet(PictureModel):
    """A chain of convolutions, a row each of `table`: channels before and after, kernel, stride, groups, whether a pooling that halves
    the sides follows."""
    normed = False

    def __init__(self, *args, num_classes=1000, **kwargs):
        self.all = []
        for k, m, kernel, stride, groups, pools in self.table():
            self.all.append(parameter(m, k // groups, kernel, kernel))
            self.all.append(parameter(m))
            if self.normed:
                self.all.append(parameter(m))
            if self.normed and self.biased:
                self.all.append(parameter(m))
        self.close(self.flat, num_classes)

    def head(self, inputs, classes):
        return Sequential(Activation(), Linear(inputs, classes))

    def __call__(self, x):
        kind = cast("half", x, self.all[0]) or x
        name = kind if is_text(kind) else element(kind)
        n, side = shape(x)[0], shape(x)[-1]
        for k, m, kernel, stride, groups, pools in self.table():
            before = side
            side = side // stride
            outputs = n * side * side * m
            windows(n * side * side, k, m, kernel * kernel, groups, n * before * before * k, name)
            if self.normed and self.training:
                normalise_channels(outputs, m, name, self.channels_last)
            else:
                moves(outputs, 1)
            moves(1.7 * outputs, 1)
            if pools:
                moves(2 * outputs, 1)
                side = side // 2
        return self.closed(tensor((n, self.flat), kind))


@of("torchvision.models{,.alexnet}.alexnet")
class AlexNet(ConvolutionNet):
    flat = 9216

    def head(self, inputs, classes):
        return Sequential(Activation(), Linear(inputs, 4096), Activation(), Activation(), Linear(4096, 4096), Activation(), Linear(4096, classes))

    def table(self):
        return [(3, 64, 11, 4, 1, True), (64, 192, 5, 1, 1, True), (192, 384, 3, 1, 1, False), (384, 256, 3, 1, 1, False), (256, 256, 3, 1, 1, True)]


class VGG(ConvolutionNet):
    flat, biased = 25088, True

    def head(self, inputs, classes):
        return Sequential(Linear(inputs, 4096), Activation(), Activation(), Linear(4096, 4096), Activation(), Activation(), Linear(4096, classes))

    def table(self):
        rows, inputs = [], 3
        for stage, convolutions in enumerate(self.stages):
            width = min(64 * 2 ** stage, 512)
            for at in range(convolutions):
                rows.append((inputs, width, 3, 1, 1, at == convolutions - 1))
                inputs = width
        return rows


@of("torchvision.models{,.vgg}.vgg11")
class VGG11(VGG):
    stages = (1, 1, 2, 2, 2)


@of("torchvision.models{,.vgg}.vgg13")
class VGG13(VGG):
    stages = (2, 2, 2, 2, 2)


@of("torchvision.models{,.vgg}.vgg16")
class VGG16(VGG):
    stages = (2, 2, 3, 3, 3)


@of("torchvision.models{,.vgg}.vgg19")
class VGG19(VGG):
    stages = (2, 2, 4, 4, 4)


@of("torchvision.models{,.vgg}.vgg16_bn")
class VGG16Normed(VGG16):
    normed = True


@of("torchvision.models{,.vgg}.vgg11_bn")
class VGG11Normed(VGG11):
    normed = True


@of("torchvision.models{,.vgg}.vgg13_bn")
class VGG13Normed(VGG13):
    normed = True


@of("torchvision.models{,.vgg}.vgg19_bn")
class VGG19Normed(VGG19):
    normed = True


@of("torchvision.models{,.mobilenet,.mobilenetv2}.mobilenet_v2")
class MobileNetV2(ConvolutionNet):
    normed, biased, flat, last_channel = True, False, 1280, 1280

    def table(self):
        rows, inputs = [(3, 32, 3, 2, 1, False)], 32
        for wider, width, blocks, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
            for block in range(blocks):
                inner = inputs * wider
                if wider > 1:
                    rows.append((inputs, inner, 1, 1, 1, False))
                rows.append((inner, inner, 3, 1 if block else stride, inner, False))
                rows.append((inner, width, 1, 1, 1, False))
                inputs = width
        rows.append((inputs, 1280, 1, 1, 1, False))
        return rows


class SqueezedNet(PictureModel):
    """Blocks of convolutions, which `stacks` lists, a row each: channels before and after, kernel, stride, groups, what the activation
    reads and writes (0: there is none), and how many numbers decide what each channel is multiplied with (0: nothing does). Then the
    mean of each channel."""

    def __init__(self, *args, num_classes=1000, **kwargs):
        self.all = []
        for rows in self.stacks():
            for k, m, kernel, stride, groups, passes, squeezed in rows:
                for one in ((m, k // groups, kernel, kernel), (m,), (m,)) + (((squeezed, m), (squeezed,), (m, squeezed), (m,)) if squeezed else ()):
                    self.all.append(parameter(*one))
                inputs = m
        self.close(inputs, num_classes)

    def head(self, inputs, classes):
        return Sequential(Activation(), Linear(inputs, classes))

    def __call__(self, x):
        kind = cast("half", x, self.all[0]) or x
        name = kind if is_text(kind) else element(kind)
        n, side, inputs = shape(x)[0], shape(x)[-1], 3
        for rows in self.stacks():
            for k, m, kernel, stride, groups, passes, squeezed in rows:
                before = side
                side = (side + stride - 1) // stride
                outputs = n * side * side * m
                windows(n * side * side, k, m, kernel * kernel, groups, n * before * before * k, name)
                if self.training:
                    normalise_channels(outputs, m, name, self.channels_last)
                moves((passes or 3) * outputs, 1)
                if squeezed:
                    gemm(n, m, squeezed)
                    gemm(n, squeezed, m)
                    moves(3 * outputs, 2)
                inputs = m
        moves(n * side * side * inputs, 1)
        return self.closed(tensor((n, inputs), kind))


def divisible(channels):
    """The nearest multiple of eight that is not a tenth less."""
    near = max(8, (channels + 4) // 8 * 8)
    return near + 8 if near * 10 < channels * 9 else near


class MobileNetV3(SqueezedNet):
    def head(self, inputs, classes):
        return Sequential(Linear(inputs, self.hidden), Activation(), Activation(), Linear(self.hidden, classes))

    def stacks(self):
        stacks, inputs = [[(3, 16, 3, 2, 1, 2, 0)]], 16
        for kernel, inner, width, squeezes, stride in self.blocks:
            rows = [] if inner == inputs else [(inputs, inner, 1, 1, 1, 2, 0)]
            rows.append((inner, inner, kernel, stride, inner, 2, divisible(inner // 4) if squeezes else 0))
            rows.append((inner, width, 1, 1, 1, 0, 0))
            stacks.append(rows)
            inputs = width
        stacks.append([(inputs, 6 * inputs, 1, 1, 1, 2, 0)])
        return stacks


@of("torchvision.models{,.mobilenet,.mobilenetv3}.mobilenet_v3_large")
class MobileNetV3Large(MobileNetV3):
    hidden = 1280
    blocks = ((3, 16, 16, False, 1), (3, 64, 24, False, 2), (3, 72, 24, False, 1), (5, 72, 40, True, 2), (5, 120, 40, True, 1), (5, 120, 40, True, 1),
              (3, 240, 80, False, 2), (3, 200, 80, False, 1), (3, 184, 80, False, 1), (3, 184, 80, False, 1), (3, 480, 112, True, 1),
              (3, 672, 112, True, 1), (5, 672, 160, True, 2), (5, 960, 160, True, 1), (5, 960, 160, True, 1))


@of("torchvision.models{,.mobilenet,.mobilenetv3}.mobilenet_v3_small")
class MobileNetV3Small(MobileNetV3):
    hidden = 1024
    blocks = ((3, 16, 16, True, 2), (3, 72, 24, False, 2), (3, 88, 24, False, 1), (5, 96, 40, True, 2), (5, 240, 40, True, 1), (5, 240, 40, True, 1),
              (5, 120, 48, True, 1), (5, 144, 48, True, 1), (5, 288, 96, True, 2), (5, 576, 96, True, 1), (5, 576, 96, True, 1))


class EfficientNet(SqueezedNet):
    """Times wider and deeper than the first of them, in tenths."""

    def stacks(self):
        first = divisible(32 * self.wider // 10)
        stacks, inputs = [[(3, first, 3, 2, 1, 4, 0)]], first
        for times, kernel, stride, base, blocks in ((1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)):
            width = divisible(base * self.wider // 10)
            for block in range((blocks * self.deeper + 9) // 10):
                inner = inputs * times
                rows = [] if times == 1 else [(inputs, inner, 1, 1, 1, 4, 0)]
                rows.append((inner, inner, kernel, 1 if block else stride, inner, 4, max(1, inputs // 4)))
                rows.append((inner, width, 1, 1, 1, 0, 0))
                stacks.append(rows)
                inputs = width
        stacks.append([(inputs, 4 * inputs, 1, 1, 1, 4, 0)])
        return stacks


@of("torchvision.models{,.efficientnet}.efficientnet_b0", "timm.models.efficientnet_b0")
class EfficientNetB0(EfficientNet):
    wider, deeper = 10, 10


@of("torchvision.models{,.efficientnet}.efficientnet_b1", "timm.models.efficientnet_b1")
class EfficientNetB1(EfficientNet):
    wider, deeper = 10, 11


@of("torchvision.models{,.efficientnet}.efficientnet_b2", "timm.models.efficientnet_b2")
class EfficientNetB2(EfficientNet):
    wider, deeper = 11, 12


@of("torchvision.models{,.efficientnet}.efficientnet_b3", "timm.models.efficientnet_b3")
class EfficientNetB3(EfficientNet):
    wider, deeper = 12, 14


@of("torchvision.models{,.efficientnet}.efficientnet_b4", "timm.models.efficientnet_b4")
class EfficientNetB4(EfficientNet):
    wider, deeper = 14, 18


@of("torchvision.models{,.efficientnet}.efficientnet_b5")
class EfficientNetB5(EfficientNet):
    wider, deeper = 16, 22


@of("torchvision.models{,.efficientnet}.efficientnet_b6")
class EfficientNetB6(EfficientNet):
    wider, deeper = 18, 26


@of("torchvision.models{,.efficientnet}.efficientnet_b7")
class EfficientNetB7(EfficientNet):
    wider, deeper = 20, 31


class DenseNet(PictureModel):
    """Each layer reads, and copies into one tensor, what all before it in its block made."""

    def __init__(self, *args, num_classes=1000, **kwargs):
        self.all = [parameter(self.first, 3, 7, 7), parameter(self.first), parameter(self.first)]
        inputs = self.first
        for block, layers in enumerate(self.blocks):
            for layer in range(layers):
                for one in ((inputs,), (inputs,), (4 * self.grows, inputs, 1, 1), (4 * self.grows,), (4 * self.grows,), (self.grows, 4 * self.grows, 3, 3)):
                    self.all.append(parameter(*one))
                inputs = inputs + self.grows
            self.all.append(parameter(inputs))
            self.all.append(parameter(inputs))
            if block < 3:
                self.all.append(parameter(inputs // 2, inputs, 1, 1))
                inputs = inputs // 2
        self.close(inputs, num_classes)

    def normed(self, pixels, channels, name):
        if self.training:
            normalise_channels(pixels * channels, channels, name, self.channels_last)
        moves(2 * pixels * channels, 1)

    def __call__(self, x):
        kind = cast("half", x, self.all[0]) or x
        name = kind if is_text(kind) else element(kind)
        n, side, inputs = shape(x)[0], shape(x)[-1] // 2, self.first
        windows(n * side * side, 3, inputs, 49, 1, 12 * n * side * side, name)
        self.normed(n * side * side, inputs, name)
        side = side // 2
        for block, layers in enumerate(self.blocks):
            pixels = n * side * side
            for layer in range(layers):
                moves(2 * pixels * inputs, 1)
                self.normed(pixels, inputs, name)
                windows(pixels, inputs, 4 * self.grows, 1, 1, pixels * inputs, name)
                self.normed(pixels, 4 * self.grows, name)
                windows(pixels, 4 * self.grows, self.grows, 9, 1, 4 * pixels * self.grows, name)
                inputs = inputs + self.grows
            self.normed(pixels, inputs, name)
            if block < 3:
                windows(pixels, inputs, inputs // 2, 1, 1, pixels * inputs, name)
                inputs, side = inputs // 2, side // 2
        return self.closed(tensor((n, inputs), kind))


@of("torchvision.models{,.densenet}.densenet121", "timm.models.densenet121")
class DenseNet121(DenseNet):
    first, grows, blocks = 64, 32, (6, 12, 24, 16)


@of("torchvision.models{,.densenet}.densenet161")
class DenseNet161(DenseNet):
    first, grows, blocks = 96, 48, (6, 12, 36, 24)


@of("torchvision.models{,.densenet}.densenet169")
class DenseNet169(DenseNet):
    first, grows, blocks = 64, 32, (6, 12, 32, 32)


@of("torchvision.models{,.densenet}.densenet201")
class DenseNet201(DenseNet):
    first, grows, blocks = 64, 32, (6, 12, 48, 32)


class StagedNet(PictureModel):
    """Four stages of blocks; behind each but the last one pixel of four is left, twice as wide. Norms stand in float32."""
    patch = 4

    def __init__(self, *args, num_classes=1000, **kwargs):
        self.all = [parameter(self.width, 3, 4, 4), parameter(self.width), parameter(self.width), parameter(self.width)]
        for stage, blocks in enumerate(self.blocks):
            width = self.width * 2 ** stage
            for block in range(blocks):
                for one in self.weights(width, stage):
                    self.all.append(parameter(*one))
            if stage < 3:
                for one in self.between(width):
                    self.all.append(parameter(*one))
        self.all.append(parameter(8 * self.width))
        self.all.append(parameter(8 * self.width))
        self.close(8 * self.width, num_classes)

    def __call__(self, x):
        kind = cast("half", x, self.all[0]) or x
        name = kind if is_text(kind) else element(kind)
        n, side = shape(x)[0], shape(x)[-1] // 4
        convolution(n * side * side, 48, self.width, 48 * n * side * side)
        moves(8 * n * side * side * self.width, 3)
        for stage, blocks in enumerate(self.blocks):
            width, rows = self.width * 2 ** stage, n * side * side
            for block in range(blocks):
                self.block(rows, width, stage, block, name)
            if stage < 3:
                side = side // 2
                gemm(n * side * side, 4 * width, 2 * width)
                moves(12 * rows * width, 3)
        return self.closed(tensor((n, 8 * self.width), kind))


class ConvNeXt(StagedNet):
    def head(self, inputs, classes):
        return Sequential(Activation(), Activation(), Linear(inputs, classes))

    def weights(self, width, stage):
        return ((width, 1, 1), (width, 1, 7, 7), (width,), (width,), (width,), (4 * width, width), (4 * width,), (width, 4 * width), (width,))

    def between(self, width):
        return ((width,), (width,), (2 * width, width, 2, 2), (2 * width,))

    def block(self, rows, width, stage, at, name):
        windows(rows, width, width, 49, width, rows * width, name)
        gemm(rows, width, 4 * width)
        gemm(rows, 4 * width, width)
        moves(8 * rows * width, 1)  # the activation, of the wider product
        moves(24 * rows * width, 8)  # the norm, casts, changes of layout, the layer's scale, its chance and its sum


@of("torchvision.models{,.convnext}.convnext_tiny", "timm.models.convnext_tiny")
class ConvNeXtTiny(ConvNeXt):
    width, blocks = 96, (3, 3, 9, 3)


@of("torchvision.models{,.convnext}.convnext_small")
class ConvNeXtSmall(ConvNeXt):
    width, blocks = 96, (3, 3, 27, 3)


@of("torchvision.models{,.convnext}.convnext_base")
class ConvNeXtBase(ConvNeXt):
    width, blocks = 128, (3, 3, 27, 3)


@of("torchvision.models{,.convnext}.convnext_large")
class ConvNeXtLarge(ConvNeXt):
    width, blocks = 192, (3, 3, 27, 3)


class SwinTransformer(StagedNet):
    """Attention within windows of 7 by 7, spelled out: its scores are written, biased, masked and normalised."""
    closes = "head"

    def weights(self, width, stage):
        return ((width,), (width,), (169, self.heads * 2 ** stage), (3 * width, width), (3 * width,), (width, width), (width,), (width,), (width,), (4 * width, width), (4 * width,), (width, 4 * width), (width,))

    def between(self, width):
        return ((4 * width,), (4 * width,), (2 * width, 4 * width))

    def block(self, rows, width, stage, at, name):
        heads = self.heads * 2 ** stage
        gemm(rows, width, 3 * width)
        gemm(49, width // heads, 49, rows * heads // 49)
        moves((13 if at % 2 else 11) * rows * 49 * heads, 5)
        gemm(49, 49, width // heads, rows * heads // 49)
        gemm(rows, width, width)
        gemm(rows, width, 4 * width)
        gemm(rows, 4 * width, width)
        moves(66 * rows * width, 18)  # two norms, windows cut and joined, casts, the activation, chances and sums


@of("torchvision.models{,.swin_transformer}.swin_t", "timm.models.swin_tiny_patch4_window7_224")
class SwinTiny(SwinTransformer):
    width, heads, blocks = 96, 3, (2, 2, 6, 2)


@of("torchvision.models{,.swin_transformer}.swin_s")
class SwinSmall(SwinTransformer):
    width, heads, blocks = 96, 3, (2, 2, 18, 2)


@of("torchvision.models{,.swin_transformer}.swin_b")
class SwinBase(SwinTransformer):
    width, heads, blocks = 128, 4, (2, 2, 18, 2)


class Heads(Module):
    """With a name, and by a number."""

    def __init__(self, head):
        self.head = head

    def __getitem__(self, index):
        return self.head

    def __setitem__(self, index, part):
        self.head = part

    def __call__(self, x):
        return make(self.head, x)


class VisionTransformer(PictureModel):
    closes = "heads"

    def head(self, inputs, classes):
        return Heads(Linear(inputs, classes))

    def __init__(self, *args, num_classes=1000, image_size=224, **kwargs):
        width = self.width
        self.all = [parameter(width, 3, self.patch, self.patch), parameter(width), parameter(width), parameter((image_size // self.patch) ** 2 + 1, width)]
        for layer in range(self.layers):
            for one in ((width,), (width,), (3 * width, width), (3 * width,), (width, width), (width,), (width,), (width,), (4 * width, width), (4 * width,), (width, 4 * width), (width,)):
                self.all.append(parameter(*one))
        self.all.append(parameter(width))
        self.all.append(parameter(width))
        self.close(width, num_classes)

    def __call__(self, x):
        kind = cast("half", x, self.all[0]) or x
        n, side, width = shape(x)[0], shape(x)[-1], self.width
        length = (side // self.patch) ** 2 + 1
        convolution(n * (length - 1), 3 * self.patch * self.patch, width, n * side * side * 3)
        for layer in range(self.layers):
            gemm(n * length, width, 3 * width)
            attention(n * self.head_count, length, length, width // self.head_count)
            gemm(n * length, width, width)
            gemm(n * length, width, 4 * width)
            gemm(n * length, 4 * width, width)
            # Norms, casts, changes of layout, the activation and what is added: by what a step of vit_b_16 takes (models.jsonl).
            moves(75 * n * length * width, 8)
        return self.closed(tensor((n, width), kind))


@of("torchvision.models{,.vision_transformer}.vit_b_16")
class VisionTransformerB16(VisionTransformer):
    patch, width, layers, head_count = 16, 768, 12, 12


@of("torchvision.models{,.vision_transformer}.vit_b_32")
class VisionTransformerB32(VisionTransformer):
    patch, width, layers, head_count = 32, 768, 12, 12


class TimmTransformer(VisionTransformer):
    closes = "head"

    def head(self, inputs, classes):
        return Linear(inputs, classes)


@of("timm.models.{vit_base_patch16_224,deit_base_patch16_224}")
class TimmTransformerBase(TimmTransformer):
    patch, width, layers, head_count = 16, 768, 12, 12


@of("timm.models.{vit_small_patch16_224,deit_small_patch16_224}")
class TimmTransformerSmall(TimmTransformer):
    patch, width, layers, head_count = 16, 384, 12, 6


@of("timm.models.{vit_tiny_patch16_224,deit_tiny_patch16_224}")
class TimmTransformerTiny(TimmTransformer):
    patch, width, layers, head_count = 16, 192, 12, 3


@of("timm.models.vit_large_patch16_224")
class TimmTransformerLarge(TimmTransformer):
    patch, width, layers, head_count = 16, 1024, 24, 16


@of("torchvision.models{,.vision_transformer}.vit_l_32")
class VisionTransformerL32(VisionTransformer):
    patch, width, layers, head_count = 32, 1024, 24, 16


@of("torchvision.models{,.vision_transformer}.vit_l_16")
class VisionTransformerL16(VisionTransformer):
    patch, width, layers, head_count = 16, 1024, 24, 16


# ---- transformers: text ----

class ModelOutput:
    """By name, by number, by text; the loss stands first where there are labels."""

    def __init__(self, **named):
        self.parts = []
        for name in named:
            setattr(self, name, named[name])
            if named[name] is not None:
                self.parts.append(named[name])

    def __getitem__(self, index):
        return getattr(self, index) if is_text(index) else self.parts[index]

    def to_tuple(self):
        return tuple(self.parts)


class TextConfig:
    """Of all of them alike: width, layers, heads, inner, words, places. `weights(task)` are the parameters of a model of it, `run` its work.
    Of a row of a layer `passes` is what norms, activations and sums read and write, by what steps of these models take (calib/validate,
    models.jsonl), of opt and gpt_neox as counted on PyTorch's meta device; `queued`: operations of a layer, `rest`: of what is around them,
    forward and back (rules/api/launches.tsv); `joined`: one product makes queries, keys and values; `kind`: of the config of Auto classes."""
    causal, passes, segments, joined, queued, rest, num_labels = False, 55, 2, False, (30, 41), (6, 3), 2

    @classmethod
    def from_pretrained(cls, name, *args, **kwargs):
        return configuration(name, **kwargs)

    def keep(self, width, layers, heads, inner, words, places, num_labels=2, id2label=None, **kwargs):
        self.width, self.layers, self.heads, self.inner = width, layers, heads, inner
        self.words, self.places = words, places
        self.hidden_size, self.num_hidden_layers, self.num_attention_heads, self.vocab_size = width, layers, heads, words
        self.num_labels = num_labels if id2label is None else len(id2label)

    def weights(self, task):
        width = self.width
        made = [(self.words, width)] + ([(self.places, width)] if self.places else []) + ([(self.segments, width)] if self.segments else [])
        products = [(3 * width, width), (width, width)] if self.joined else [(width, width)] * 4
        layer = [(width,)] * 4
        for n, k in products + [(self.inner, width), (width, self.inner)]:
            layer.append((n, k))
            layer.append((n,))
        made.extend(layer * self.layers + [(width,)] * 2)
        for one in self.ends(task):
            made.append(one)
        return made

    def classes(self, task):
        return 2 if task == "questions" else 1 if task == "choices" else self.num_labels

    def pooled(self, task):
        return task == "base" or task == "classes" or task == "choices"

    def ends(self, task):
        width, classes = self.width, self.classes(task)
        square = ((width, width), (width,))
        if task == "words":
            return square + ((width,), (width,), (self.words,))
        return (square if self.pooled(task) else ()) + (() if task == "base" else ((classes, width), (classes,)))

    def run_layers(self, n, length):
        rows, width = n * length, self.width
        for layer in range(self.layers):
            gemm(rows, width, 3 * width)
            attention(n * self.heads, length, length, width // self.heads, self.causal)
            gemm(rows, width, width)
            gemm(rows, width, self.inner)
            gemm(rows, self.inner, width)
            moves(self.passes * rows * width, 8)
        mixed(6 * self.layers)
        launches(self.queued[0] * self.layers + self.rest[0], self.queued[1] * self.layers + self.rest[1])

    def run(self, task, before, kind, labels, written):
        n, length = product_of(before[:-1]), before[-1]
        self.run_layers(n, length)
        return self.given(task, before, n, length, kind, labels)

    def given(self, task, before, n, length, kind, labels):
        loss = None if labels is None else tensor((), "float")
        if task == "words":
            gemm(n * length, self.width, self.words)
            if labels is not None:
                moves(6 * n * length * self.words, 3)
            return ModelOutput(loss=loss, logits=tensor((n, length, self.words), kind))
        if task == "classes":
            return ModelOutput(loss=loss, logits=tensor((n, self.num_labels), kind))
        if task == "choices":
            return ModelOutput(loss=loss, logits=tensor(before[:-1], kind))
        if task == "tokens":
            return ModelOutput(loss=loss, logits=tensor((n, length, self.num_labels), kind))
        if task == "questions":
            ends = tensor((n, length), kind)
            return ModelOutput(loss=loss, start_logits=ends, end_logits=ends)
        return ModelOutput(last_hidden_state=tensor((n, length, self.width), kind), pooler_output=tensor((n, self.width), kind) if self.ends(task) else None)


@of("transformers.{BertConfig}")
class BertConfig(TextConfig):
    def __init__(self, vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, max_position_embeddings=512, **kwargs):
        self.keep(hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, vocab_size, max_position_embeddings, **kwargs)


@of("transformers.{RobertaConfig,XLMRobertaConfig}")
class RobertaConfig(TextConfig):
    segments = 1

    def __init__(self, vocab_size=50265, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, max_position_embeddings=514, **kwargs):
        self.keep(hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, vocab_size, max_position_embeddings, **kwargs)


@of("transformers.DistilBertConfig")
class DistilBertConfig(TextConfig):
    segments, queued = 0, (31, 41)

    def __init__(self, vocab_size=30522, max_position_embeddings=512, n_layers=6, n_heads=12, dim=768, hidden_dim=3072, **kwargs):
        self.keep(dim, n_layers, n_heads, hidden_dim, vocab_size, max_position_embeddings, **kwargs)

    def pooled(self, task):
        return task == "classes" or task == "choices"


class WritingConfig(TextConfig):
    """Each word sees those before it; the words' matrix is read again at the end."""
    causal, segments = True, 0

    def ends(self, task):
        return ((self.num_labels, self.width),) if task == "classes" else ()


@of("transformers.GPT2Config")
class GPT2Config(WritingConfig):
    passes, joined, queued = 150, True, (24, 41)

    def __init__(self, vocab_size=50257, n_positions=1024, n_embd=768, n_layer=12, n_head=12, n_inner=None, **kwargs):
        self.keep(n_embd, n_layer, n_head, 4 * n_embd if n_inner is None else n_inner, vocab_size, n_positions, **kwargs)
        self.n_embd, self.n_layer, self.n_head, self.n_positions, self.n_ctx = n_embd, n_layer, n_head, n_positions, n_positions


@of("transformers.OPTConfig")
class OPTConfig(WritingConfig):
    passes, queued, rest = 54, (33, 41), (9, 2)

    def __init__(self, vocab_size=50272, hidden_size=768, num_hidden_layers=12, ffn_dim=3072, max_position_embeddings=2048, do_layer_norm_before=True, _remove_final_layer_norm=False, word_embed_proj_dim=None, dropout=0.1, attention_dropout=0.0, num_attention_heads=12, **kwargs):
        self.keep(hidden_size, num_hidden_layers, num_attention_heads, ffn_dim, vocab_size, max_position_embeddings + 2, **kwargs)


@of("transformers.GPTNeoXConfig")
class GPTNeoXConfig(WritingConfig):
    passes, joined, queued, rest = 41, True, (28, 58), (7, 2)

    def __init__(self, vocab_size=50432, hidden_size=6144, num_hidden_layers=44, num_attention_heads=64, intermediate_size=24576, **kwargs):
        self.keep(hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, vocab_size, 0, **kwargs)

    def ends(self, task):
        return ((self.words, self.width),) if task == "words" else WritingConfig.ends(self, task)


@of("transformers.{LlamaConfig,MistralConfig}")
class LlamaConfig(WritingConfig):
    """Of a row of a layer: two norms in float32 (26), keys and queries rotated and repeated (20), sums (6); of the wider products,
    the gate's activation and product (5)."""
    queued, rest, leaning = (43, 81), (28, 22), False

    def __init__(self, vocab_size=32000, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=None, max_position_embeddings=2048, tie_word_embeddings=False, **kwargs):
        self.keep(hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, vocab_size, max_position_embeddings, **kwargs)
        self.kept = num_attention_heads if num_key_value_heads is None else num_key_value_heads
        self.tied = tie_word_embeddings

    def weights(self, task):
        width, inner, kept = self.width, self.inner, self.width // self.heads * self.kept
        made = [(self.words, width), (width,)] + ([(self.words, width)] if task == "words" and not self.tied else [])
        layer = [(width, width), (kept, width), (kept, width), (width, width), (inner, width), (inner, width), (width, inner), (width,), (width,)]
        made.extend((layer + [(width,), (kept,), (kept,)] if self.leaning else layer) * self.layers)
        return made + ([(self.num_labels, width)] if task == "classes" else [])

    def run_layers(self, n, length):
        rows, width, kept = n * length, self.width, self.width // self.heads * self.kept
        for layer in range(self.layers):
            gemm(rows, width, width)
            gemm(rows, width, kept)
            gemm(rows, width, kept)
            attention(n * self.heads, length, length, width // self.heads, True)
            gemm(rows, width, width)
            gemm(rows, width, self.inner)
            gemm(rows, width, self.inner)
            gemm(rows, self.inner, width)
            moves(52 * rows * width, 26)
            moves(5 * rows * self.inner, 2)
        launches(self.queued[0] * self.layers + self.rest[0], self.queued[1] * self.layers + self.rest[1])


@of("transformers.Qwen2Config")
class Qwen2Config(LlamaConfig):
    leaning = True

    def __init__(self, vocab_size=151936, hidden_size=4096, intermediate_size=22016, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=32, **kwargs):
        LlamaConfig.__init__(self, vocab_size, hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads, **kwargs)


class PairedConfig(TextConfig):
    """A part that reads and one that writes: what runs, by the rows and the length that each has."""

    def run(self, task, before, kind, labels, written):
        n, length = before[0], before[1]
        last = length if written is None else shape(written)[-1]
        for layer in range(self.layers):
            self.attend(n, length, length)
            self.widen(n * length)
        for layer in range(self.more):
            self.attend(n, last, last)
            self.attend(n, last, length)
            self.widen(n * last)
        parts = 2 * self.layers + 3 * self.more
        launches(self.queued[0] * parts + self.rest[0], self.queued[1] * parts + self.rest[1])
        return self.given(task, before, n, last, kind, labels)


@of("transformers.T5Config")
class T5Config(PairedConfig):
    """Of a row of a part of a layer: its norm in float32 (14), dropout and its sum (10). Scores stand in memory: made, biased, normalised
    in float32, dropped, read."""
    queued, rest = (25, 38), (12, 10)

    def __init__(self, vocab_size=32128, d_model=512, d_kv=64, d_ff=2048, num_layers=6, num_decoder_layers=None, num_heads=8, **kwargs):
        self.keep(d_model, num_layers, num_heads, d_ff, vocab_size, 0, **kwargs)
        self.head, self.more = d_kv, num_layers if num_decoder_layers is None else num_decoder_layers
        self.d_model = d_model

    def weights(self, task):
        width, inside = self.width, self.heads * self.head
        made = [(self.words, width), (32, self.heads), (32, self.heads), (width,), (width,)]
        for parts in [1] * self.layers + [2] * self.more:
            made.extend([(inside, width), (inside, width), (inside, width), (width, inside), (width,)] * parts + [(self.inner, width), (width, self.inner), (width,)])
        return made

    def ends(self, task):
        return ()

    def attend(self, n, length, other):
        inside = self.heads * self.head
        gemm(n * length, self.width, inside)
        gemm(n * other, self.width, 2 * inside)
        gemm(length, self.head, other, n * self.heads)
        moves(16 * n * self.heads * length * other, 6)
        gemm(length, other, self.head, n * self.heads)
        gemm(n * length, inside, self.width)
        moves(24 * n * length * self.width, 9)

    def widen(self, rows):
        gemm(rows, self.width, self.inner)
        gemm(rows, self.inner, self.width)
        moves(7 * rows * self.inner, 3)
        moves(24 * rows * self.width, 9)


@of("transformers.BartConfig")
class BartConfig(PairedConfig):
    """A part of a layer moves what half of one of BERT's does."""
    queued, rest = (16, 21), (16, 12)

    def __init__(self, vocab_size=50265, max_position_embeddings=1024, encoder_layers=12, encoder_ffn_dim=4096, encoder_attention_heads=16, decoder_layers=12, decoder_ffn_dim=4096, decoder_attention_heads=16, encoder_layerdrop=0.0, decoder_layerdrop=0.0, activation_function="gelu", d_model=1024, num_labels=3, **kwargs):
        self.keep(d_model, encoder_layers, encoder_attention_heads, encoder_ffn_dim, vocab_size, max_position_embeddings + 2, num_labels, **kwargs)
        self.more, self.d_model = decoder_layers, d_model

    def weights(self, task):
        width = self.width
        made = [(self.words, width), (self.places, width), (self.places, width)] + [(width,)] * 4
        for parts in [1] * self.layers + [2] * self.more:
            for n, k in [(width, width)] * 4 * parts + [(self.inner, width), (width, self.inner)]:
                made.append((n, k))
                made.append((n,))
            made.extend([(width,)] * (2 * parts + 2))
        return made + ([(width, width), (width,), (self.num_labels, width), (self.num_labels,)] if task == "classes" else [])

    def ends(self, task):
        return ()

    def attend(self, n, length, other):
        gemm(n * length, self.width, self.width)
        gemm(n * other, self.width, 2 * self.width)
        attention(n * self.heads, length, other, self.width // self.heads)
        gemm(n * length, self.width, self.width)
        moves(27 * n * length * self.width, 4)

    def widen(self, rows):
        gemm(rows, self.width, self.inner)
        gemm(rows, self.inner, self.width)
        moves(27 * rows * self.width, 4)


def configured(name, given=None, **kwargs):
    """What stands behind the name of a checkpoint, by its published configuration; whose it is does not matter."""
    if isinstance(name, TextConfig):
        return name
    if given is not None:
        return given
    large = dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    known = {
        "bert-base-uncased": (BertConfig, {}), "bert-base-cased": (BertConfig, dict(vocab_size=28996)), "bert-base-chinese": (BertConfig, dict(vocab_size=21128)),
        "bert-base-multilingual-cased": (BertConfig, dict(vocab_size=119547)), "bert-base-multilingual-uncased": (BertConfig, dict(vocab_size=105879)),
        "bert-large-uncased": (BertConfig, large), "bert-large-cased": (BertConfig, dict(vocab_size=28996, **large)),
        "bert-tiny": (BertConfig, dict(hidden_size=128, num_hidden_layers=2, num_attention_heads=2, intermediate_size=512)),
        "all-MiniLM-L6-v2": (BertConfig, dict(hidden_size=384, num_hidden_layers=6, intermediate_size=1536)),
        "roberta-base": (RobertaConfig, {}), "roberta-large": (RobertaConfig, large), "distilroberta-base": (RobertaConfig, dict(num_hidden_layers=6)),
        "codebert-base": (RobertaConfig, {}), "xlm-roberta-base": (RobertaConfig, dict(vocab_size=250002)), "xlm-roberta-large": (RobertaConfig, dict(vocab_size=250002, **large)),
        "distilbert-base-uncased": (DistilBertConfig, {}), "distilbert-base-cased": (DistilBertConfig, dict(vocab_size=28996)),
        "distilbert-base-multilingual-cased": (DistilBertConfig, dict(vocab_size=119547)), "distilbert-base-uncased-finetuned-sst-2-english": (DistilBertConfig, {}),
        "gpt2": (GPT2Config, {}), "distilgpt2": (GPT2Config, dict(n_layer=6)), "gpt2-medium": (GPT2Config, dict(n_embd=1024, n_layer=24, n_head=16)),
        "gpt2-large": (GPT2Config, dict(n_embd=1280, n_layer=36, n_head=20)), "gpt2-xl": (GPT2Config, dict(n_embd=1600, n_layer=48, n_head=25)),
        "DialoGPT-small": (GPT2Config, {}), "DialoGPT-medium": (GPT2Config, dict(n_embd=1024, n_layer=24, n_head=16)),
        "opt-125m": (OPTConfig, {}), "opt-1.3b": (OPTConfig, dict(hidden_size=2048, num_hidden_layers=24, num_attention_heads=32, ffn_dim=8192)),
        "opt-2.7b": (OPTConfig, dict(hidden_size=2560, num_hidden_layers=32, num_attention_heads=32, ffn_dim=10240)),
        "opt-6.7b": (OPTConfig, dict(hidden_size=4096, num_hidden_layers=32, num_attention_heads=32, ffn_dim=16384)),
        "pythia-70m": (GPTNeoXConfig, dict(vocab_size=50304, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048)),
        "pythia-160m": (GPTNeoXConfig, dict(vocab_size=50304, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072)),
        "pythia-410m": (GPTNeoXConfig, dict(vocab_size=50304, **large)),
        "pythia-1b": (GPTNeoXConfig, dict(vocab_size=50304, hidden_size=2048, num_hidden_layers=16, num_attention_heads=8, intermediate_size=8192)),
        "pythia-1.4b": (GPTNeoXConfig, dict(vocab_size=50304, hidden_size=2048, num_hidden_layers=24, num_attention_heads=16, intermediate_size=8192)),
        "pythia-2.8b": (GPTNeoXConfig, dict(vocab_size=50304, hidden_size=2560, num_hidden_layers=32, num_attention_heads=32, intermediate_size=10240)),
        "Llama-2-7b-hf": (LlamaConfig, {}), "Llama-2-7b-chat-hf": (LlamaConfig, {}), "llama-7b-hf": (LlamaConfig, {}), "vicuna-7b-v1.5": (LlamaConfig, {}),
        "Llama-2-13b-hf": (LlamaConfig, dict(hidden_size=5120, intermediate_size=13824, num_hidden_layers=40, num_attention_heads=40)),
        "TinyLlama-1.1B-Chat-v1.0": (LlamaConfig, dict(hidden_size=2048, intermediate_size=5632, num_hidden_layers=22, num_key_value_heads=4)),
        "Meta-Llama-3-8B": (LlamaConfig, dict(vocab_size=128256, intermediate_size=14336, num_key_value_heads=8)),
        "Llama-3.1-8B": (LlamaConfig, dict(vocab_size=128256, intermediate_size=14336, num_key_value_heads=8)),
        "Llama-3.2-1B": (LlamaConfig, dict(vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_key_value_heads=8, tie_word_embeddings=True)),
        "Llama-3.2-3B": (LlamaConfig, dict(vocab_size=128256, hidden_size=3072, intermediate_size=8192, num_hidden_layers=28, num_attention_heads=24, num_key_value_heads=8, tie_word_embeddings=True)),
        "Mistral-7B-v0.1": (LlamaConfig, dict(intermediate_size=14336, num_key_value_heads=8)),
        "SmolLM2-135M": (LlamaConfig, dict(vocab_size=49152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3, tie_word_embeddings=True)),
        "Qwen2-0.5B": (Qwen2Config, dict(hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14, num_key_value_heads=2, tie_word_embeddings=True)),
        "Qwen2.5-0.5B": (Qwen2Config, dict(hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14, num_key_value_heads=2, tie_word_embeddings=True)),
        "Qwen2.5-1.5B": (Qwen2Config, dict(hidden_size=1536, intermediate_size=8960, num_hidden_layers=28, num_attention_heads=12, num_key_value_heads=2, tie_word_embeddings=True)),
        "t5-small": (T5Config, {}), "t5-base": (T5Config, dict(d_model=768, d_ff=3072, num_layers=12, num_heads=12)), "t5-large": (T5Config, dict(d_model=1024, d_ff=4096, num_layers=24, num_heads=16)),
        "bart-large": (BartConfig, {}), "bart-base": (BartConfig, dict(d_model=768, encoder_layers=6, decoder_layers=6, encoder_attention_heads=12, decoder_attention_heads=12, encoder_ffn_dim=3072, decoder_ffn_dim=3072)),
        "distilbart-cnn-12-6": (BartConfig, dict(decoder_layers=6)),
    }
    short = name.split("/")[-1]
    for ending in ("-Instruct", "-deduped", "-instruct"):
        if short.endswith(ending):
            short = short.split(ending)[0]
    if short not in known:
        return None
    kind, more = known[short]
    return kind(**more, **kwargs)


@of("transformers.AutoConfig.from_pretrained", "transformers.PretrainedConfig.from_pretrained")
def configuration(name, *args, **kwargs):
    found = configured(name, **kwargs)
    return unknown() if found is None else found


class TextModel(Module):
    @classmethod
    def from_pretrained(cls, name, *args, config=None, num_labels=None, id2label=None, torch_dtype=None, dtype=None, **kwargs):
        labels = 2 if num_labels is None else num_labels
        return retype(cls(configured(name, config, num_labels=labels if id2label is None else len(id2label))), dtype or torch_dtype)

    @classmethod
    def from_config(cls, config, **kwargs):
        return cls(config)

    def __init__(self, config, **kwargs):
        self.config = config
        self.all = [parameter(*one) for one in config.weights(self.task)] if isinstance(config, TextConfig) else []

    def __call__(self, input_ids=None, *args, labels=None, inputs_embeds=None, decoder_input_ids=None, start_positions=None, return_dict=True, **kwargs):
        if not isinstance(self.config, TextConfig):
            return untold()
        before = shape(input_ids) if inputs_embeds is None else shape(inputs_embeds)[:-1]
        kind = cast("half", self.all[0]) or self.all[0]
        written = labels if decoder_input_ids is None else decoder_input_ids
        out = self.config.run(self.task, before, kind, start_positions if labels is None else labels, written)
        return out if return_dict is None or return_dict else tuple(out.parts)


@of("transformers.{AutoModel,BertModel,RobertaModel,XLMRobertaModel,DistilBertModel,GPT2Model,LlamaModel,T5Model,BartModel}")
class TextBody(TextModel):
    task = "base"


@of("transformers.{AutoModel,Bert,Roberta,XLMRoberta,DistilBert,GPT2,Bart}ForSequenceClassification")
class TextClasses(TextModel):
    task = "classes"


@of("transformers.{AutoModel,Bert,Roberta,DistilBert}ForTokenClassification")
class TextTokens(TextModel):
    task = "tokens"


@of("transformers.{AutoModel,Bert,DistilBert}ForQuestionAnswering")
class TextQuestions(TextModel):
    task = "questions"


@of("transformers.{AutoModel,Bert}ForMultipleChoice")
class TextChoices(TextModel):
    task = "choices"


@of("transformers.{AutoModelForMaskedLM,BertForMaskedLM,RobertaForMaskedLM,DistilBertForMaskedLM,AutoModelForCausalLM,GPT2LMHeadModel,OPTForCausalLM,GPTNeoXForCausalLM,LlamaForCausalLM,MistralForCausalLM,Qwen2ForCausalLM}",
    "transformers.{AutoModelForSeq2SeqLM,T5ForConditionalGeneration,BartForConditionalGeneration}")
class TextWords(TextModel):
    task = "words"


# ---- transformers and datasets: tokens ----

class Tokens:
    """What a tokenizer gives: by name a tensor of all texts, or lists."""

    def __init__(self, data):
        self.data = data

    def __getitem__(self, key):
        return self.data[key] if is_text(key) else unknown()

    def __setitem__(self, key, value):
        self.data[key] = value

    def __getattr__(self, name):
        return self.data[name]

    def __iter__(self):
        return self.data.keys()

    def items(self):
        return self.data.items()

    def keys(self):
        return self.data.keys()

    def values(self):
        return self.data.values()

    def get(self, key, other=None):
        return self.data[key] if key in self.data else other

    def pop(self, key, *other):
        return self.data[key]

    def to(self, device, *args, **kwargs):
        return Tokens({name: copied(one, device == "cpu") for name, one in self.data.items()})


@of("transformers.PreTrainedTokenizerBase")
class Tokenizer:
    """`longest`: of a text, where its checkpoint is known and texts are cut."""
    longest, segments = None, False

    @classmethod
    def from_pretrained(cls, name, *args, **kwargs):
        made, found = cls(), configured(name)
        if found is not None:
            made.vocab_size, made.segments = found.words, found.segments == 2
            if isinstance(found, BertConfig) or isinstance(found, RobertaConfig) or isinstance(found, DistilBertConfig) or isinstance(found, T5Config):
                made.longest = 512
            if isinstance(found, GPT2Config) or isinstance(found, BartConfig):
                made.longest = 1024
        return made

    def __init__(self, *args, **kwargs):
        pass

    def length(self, padding, truncation, max_length):
        most = self.longest if max_length is None else max_length
        if padding == "max_length" and most is not None:
            return most
        return between(1, most if truncation or max_length is not None else None, "tokens")

    def told(self, rows, length, tensors, segments):
        if tensors is None:
            one = batches(between(0, None), length) if rows is None else batches(batches(between(0, None), length), rows)
        else:
            one = tensor((1 if rows is None else rows, length), "long")
        data = {"input_ids": one, "attention_mask": one}
        if segments:
            data["token_type_ids"] = one
        return Tokens(data)

    def __call__(self, text=None, text_pair=None, *args, padding=False, truncation=False, max_length=None, return_tensors=None, pad_to_max_length=False, return_token_type_ids=None, images=None, **kwargs):
        if images is not None:
            return unknown()
        rows = between(1, None, "texts")
        if is_known(is_text(text)):
            rows = None if is_text(text) else len(text)
        length = self.length("max_length" if pad_to_max_length else padding, truncation, max_length)
        return self.told(rows, length, return_tensors, self.segments if return_token_type_ids is None else return_token_type_ids)

    def encode_plus(self, text, text_pair=None, *args, **kwargs):
        return self("", None, **kwargs)

    def batch_encode_plus(self, texts, *args, **kwargs):
        return self(texts if is_known(texts) else batches("", None), None, **kwargs)

    def encode(self, text, *args, **kwargs):
        return self("", None, **kwargs).input_ids

    def __len__(self):
        return self.vocab_size


@of("transformers.{AutoProcessor,AutoImageProcessor,AutoFeatureExtractor,CLIPProcessor,WhisperProcessor,Wav2Vec2Processor,ViTImageProcessor}")
class Processor(Tokenizer):
    """Of pictures and sounds too: nobody knows of what size."""

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return cls()

    def __call__(self, *args, **kwargs):
        return unknown()


def as_tensor(value):
    return value if is_tensor(value) else tensor(nested(value), "long") if is_list(value) or is_number(value) else value


@of("transformers.{DataCollatorWithPadding,DefaultDataCollator}")
class RowsPadded:
    names = ()

    def __init__(self, tokenizer=None, *args, padding=True, max_length=None, **kwargs):
        self.length = max_length if padding == "max_length" else None

    def __call__(self, rows, *args, **kwargs):
        made = {}
        for name, one in rows[0].items():
            first = as_tensor(one)
            if is_tensor(first):
                size = shape(first)
                longer = size and self.length is not None
                made["labels" if name == "label" else name] = tensor((len(rows),) + ((self.length,) if longer else size), first)
        for name in self.names:
            made[name] = made["input_ids"]
        return Tokens(made)


@of("transformers.{DataCollatorForLanguageModeling,DataCollatorForSeq2Seq,DataCollatorForTokenClassification}")
class WordsPadded(RowsPadded):
    """Labels as long as the words are."""
    names = ("labels",)


@of("transformers.default_data_collator")
def default_collator(features, *args, **kwargs):
    return RowsPadded()(features)


class Examples:
    """What a function is given that `map` calls: columns nobody knows are texts."""

    def __init__(self, rows, batched):
        self.rows, self.batched = rows, batched

    def __getitem__(self, name):
        one = self.rows.columns[name] if name in self.rows.columns else ""
        return batches(one, None) if self.batched else one

    def keys(self):
        return list(self.rows.columns.keys())

    def items(self):
        return [(name, self[name]) for name in self.rows.columns]


class Rows:
    """A data set of the Hub: its columns, by what a row holds; whatever else, a class."""

    def __init__(self, columns, formatted=False):
        self.columns, self.formatted, self.rows = columns, formatted, between(1, None, "rows")

    def __len__(self):
        return self.rows

    def __getitem__(self, index):
        if is_text(index):
            return batches(self.columns[index] if index in self.columns else "", self.rows)
        if self.formatted:
            return {name: as_tensor(one) for name, one in self.columns.items()}
        return self.columns

    def map(self, function, batched=False, *args, fn_kwargs=None, **kwargs):
        given = make(function, Examples(self, batched), **({} if fn_kwargs is None else fn_kwargs))
        made = {name: one for name, one in self.columns.items()}
        for name, one in given.items():
            made[name] = one[0] if batched else one
        return Rows(made, self.formatted)

    def rename_column(self, old, new):
        return Rows({new if name == old else name: one for name, one in self.columns.items()}, self.formatted)

    def remove_columns(self, names):
        names = [names] if is_text(names) else names
        return Rows({name: one for name, one in self.columns.items() if name not in names}, self.formatted)

    def select_columns(self, names):
        return Rows({name: one for name, one in self.columns.items() if name in names}, self.formatted)

    def set_format(self, type=None, columns=None, *args, **kwargs):
        self.formatted = type == "torch" or type == "pt"
        if columns is not None:
            self.columns = {name: one for name, one in self.columns.items() if name in columns}

    def with_format(self, type=None, *args, **kwargs):
        return Rows(self.columns, type == "torch" or type == "pt")

    def select(self, indices, *args, **kwargs):
        made = Rows(self.columns, self.formatted)
        made.rows = len(indices)
        return made

    def shuffle(self, *args, **kwargs):
        return self

    def filter(self, *args, **kwargs):
        return Rows(self.columns, self.formatted)

    def train_test_split(self, *args, **kwargs):
        return Splits(self)


class Splits:
    """Several of them, alike."""

    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, name):
        return self.rows

    def items(self):
        return batches(("", self.rows), None)

    def values(self):
        return batches(self.rows, None)

    def set_format(self, *args, **kwargs):
        self.rows.set_format(*args, **kwargs)

    def map(self, *args, **kwargs):
        return Splits(self.rows.map(*args, **kwargs))

    def rename_column(self, old, new):
        return Splits(self.rows.rename_column(old, new))

    def remove_columns(self, names):
        return Splits(self.rows.remove_columns(names))

    def with_format(self, *args, **kwargs):
        return Splits(self.rows.with_format(*args, **kwargs))

    def shuffle(self, *args, **kwargs):
        return self

    def filter(self, *args, **kwargs):
        return Splits(self.rows.filter())


@of("datasets.load_dataset")
def load_dataset(path=None, name=None, *args, split=None, **kwargs):
    rows = Rows({"label": between(0, None)})
    return Splits(rows) if split is None else [rows for _ in split] if is_list(split) else rows


@of("numpy.{memmap}")
def mapped_array(filename, dtype="byte", mode=None, offset=0, shape=None, **kwargs):
    return tensor((between(0, None, "length"),) if shape is None else as_pair(shape, 1), array_element(dtype, "byte"))


class TransformerLayer(Module):
    """What both kinds of layers have: attention to itself, two products, and what only moves bytes of the wider one."""

    def prepare(self, d_model, nhead, inner, batch_first):
        self.d_model, self.inner = d_model, inner
        self.self_attn = MultiheadAttention(d_model, nhead, batch_first=batch_first)
        self.linear1, self.linear2 = Linear(d_model, inner), Linear(inner, d_model)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)

    def widen(self, src):
        rows = product_of(shape(src)[:-1])
        kind = cast("half", src, self.linear1.weight, self.linear1.bias, self.linear2.weight, self.linear2.bias)
        cleared(kind or src, 2)
        gemm(rows, self.d_model, self.inner)
        gemm(rows, self.inner, self.d_model)
        moves(4 * rows * self.inner, 2)
        return tensor(shape(src), src)


@of("torch.nn.TransformerEncoderLayer")
class TransformerEncoderLayer(TransformerLayer):
    queued = 26, 47

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, *args, batch_first=False, **kwargs):
        self.prepare(d_model, nhead, dim_feedforward, batch_first)

    def run(self, src, memory=None):
        return self.widen(self.self_attn.run(src, src))

    def __call__(self, src, *args, **kwargs):
        return self.run(src)


@of("torch.nn.TransformerDecoderLayer")
class TransformerDecoderLayer(TransformerLayer):
    queued = 44, 85

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, *args, batch_first=False, **kwargs):
        self.prepare(d_model, nhead, dim_feedforward, batch_first)
        self.multihead_attn, self.norm3 = MultiheadAttention(d_model, nhead, batch_first=batch_first), LayerNorm(d_model)

    def run(self, tgt, memory):
        return self.widen(self.multihead_attn.run(self.self_attn.run(tgt, tgt), memory))

    def __call__(self, tgt, memory, *args, **kwargs):
        return self.run(tgt, memory)


class LayerStack(Module):
    """Layers alike; its launches are those of one of them, so many times (rules/api/launches.tsv: 2 and 6 of them)."""

    def prepare(self, layer, num_layers, norm):
        self.layer, self.num_layers, self.norm = layer, num_layers, norm
        self.parts = [parameters_again(layer) for _ in range(num_layers - 1)]

    def run(self, x, memory=None):
        if not hasattr(self.layer, "queued"):
            return unknown()
        for _ in range(self.num_layers):
            x = self.layer.run(x, memory)
        return x


@of("torch.nn.TransformerEncoder")
class TransformerEncoder(LayerStack):
    def __init__(self, encoder_layer, num_layers, norm=None, **kwargs):
        self.prepare(encoder_layer, num_layers, norm)

    def __call__(self, src, *args, **kwargs):
        out = self.run(src)
        launches(self.num_layers * self.layer.queued[0], self.num_layers * self.layer.queued[1])
        return out


@of("torch.nn.TransformerDecoder")
class TransformerDecoder(LayerStack):
    def __init__(self, decoder_layer, num_layers, norm=None, **kwargs):
        self.prepare(decoder_layer, num_layers, norm)

    def __call__(self, tgt, memory, *args, **kwargs):
        out = self.run(tgt, memory)
        launches(self.num_layers * self.layer.queued[0], self.num_layers * self.layer.queued[1])
        return out


@of("torch.nn.Transformer")
class Transformer(Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, *args, batch_first=False, **kwargs):
        into = TransformerEncoderLayer(d_model, nhead, dim_feedforward, batch_first=batch_first)
        out_of = TransformerDecoderLayer(d_model, nhead, dim_feedforward, batch_first=batch_first)
        self.encoder = TransformerEncoder(into, num_encoder_layers, LayerNorm(d_model))
        self.decoder = TransformerDecoder(out_of, num_decoder_layers, LayerNorm(d_model))

    def __call__(self, src, tgt, *args, **kwargs):
        out = self.decoder.run(tgt, self.encoder.run(src))
        layers, more = self.encoder.num_layers, self.decoder.num_layers
        launches(26 * layers + 44 * more + 2, 47 * layers + 85 * more + 3)
        return out


def parameters_again(module):
    return [parameter(*shape(one)) for one in parameters(module)]


@of("torch.nn.{CrossEntropyLoss,NLLLoss,MSELoss,L1Loss,SmoothL1Loss,HuberLoss,BCELoss,BCEWithLogitsLoss,KLDivLoss,CosineEmbeddingLoss,TripletMarginLoss,MarginRankingLoss,SoftMarginLoss,CTCLoss,PoissonNLLLoss,GaussianNLLLoss}")
class Loss(Module):
    def __init__(self, *args, reduction="mean", **kwargs):
        self.reduction = reduction

    def __call__(self, input, target=None, *args):
        kind = cast("float", input) or input
        if self.reduction == "none":
            return tensor(shape(target), kind)
        return tensor((), kind)


# ---- how code is run ----

@of("torch.{no_grad,inference_mode}", "torch.autograd.grad_mode.{no_grad,inference_mode}")
class NoGrad:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        gradients(False)


@of("torch.enable_grad", "torch.autograd.grad_mode.enable_grad")
class EnableGrad:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        gradients(True)


@of("torch.set_grad_enabled", "torch.autograd.grad_mode.set_grad_enabled")
class SetGrad:
    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        gradients(self.mode)


@of("torch.{autocast,amp.autocast,amp.autocast_mode.autocast}")
class Autocast:
    def __init__(self, device_type="cuda", dtype="half", enabled=True, *args, **kwargs):
        self.dtype, self.enabled = dtype, enabled

    def __enter__(self):
        autocast(self.enabled, self.dtype)


@of("torch.cuda.amp.autocast")
class CudaAutocast:
    def __init__(self, enabled=True, dtype="half", *args, **kwargs):
        self.dtype, self.enabled = dtype, enabled

    def __enter__(self):
        autocast(self.enabled, self.dtype)


@of("torch.set_float32_matmul_precision")
def set_precision(precision):
    tf32(precision != "highest")


class ProductSwitches:
    def __setattr__(self, name, value):
        if name == "allow_tf32":
            tf32(value)


@of("torch.backends.cuda.matmul")
def product_switches():
    return ProductSwitches()


@of("torch.nn.utils.{clip_grad_norm_,clip_grad_norm,clip_grad_value_}", "torch.nn.utils.clip_grad.{clip_grad_norm_,clip_grad_value_}")
def clip(parameters_, *args, **kwargs):
    goes_through(parameters_)
    return tensor((), "float")


# ---- progress bars ----

@of("tqdm.tqdm")
def progress(iterable=None, *args, **kwargs):
    return iterable


@of("tqdm.trange")
def counted_progress(*args, **kwargs):
    return range(*args)


# ---- distributions ----

@of("torch.distributions.{Normal,Laplace,Uniform,LogNormal,Cauchy,Gumbel,Gamma,Beta}")
class LocationScale:
    def __init__(self, loc, scale, *args, **kwargs):
        self.mean = broadcast(loc, scale) if is_tensor(loc) and is_tensor(scale) else loc if is_tensor(loc) else scale if is_tensor(scale) else tensor((), "float")
        self.loc, self.scale, self.stddev, self.variance, self.mode = self.mean, self.mean, self.mean, self.mean, self.mean

    def sample(self, sample_shape=()):
        return tensor(tuple(sample_shape) + shape(self.mean), self.mean)

    def rsample(self, sample_shape=()):
        return tensor(tuple(sample_shape) + shape(self.mean), self.mean)

    def log_prob(self, value):
        return broadcast(self.mean, value) if is_tensor(value) else same(self.mean)

    def cdf(self, value):
        return broadcast(self.mean, value) if is_tensor(value) else same(self.mean)

    def entropy(self):
        return same(self.mean)


@of("torch.distributions.Categorical")
class Categories:
    def __init__(self, probs=None, logits=None, **kwargs):
        self.probs = probs if is_tensor(probs) else logits
        self.logits = self.probs

    def sample(self, sample_shape=()):
        return tensor(tuple(sample_shape) + shape(self.probs)[:-1], "long")

    def log_prob(self, value):
        return tensor(shape(value), self.probs)

    def entropy(self):
        return tensor(shape(self.probs)[:-1], self.probs)


# ---- optimizers ----

@of("torch.optim.Optimizer")
class Optimizer:
    def __init__(self, params, *args, **kwargs):
        self.params = list(params)
        self.param_groups = [{"params": self.params, "lr": unknown()}]

    def step(self, closure=None):
        goes_through(self.params)

    def zero_grad(self, set_to_none=True):
        goes_through(self.params)

    def state_dict(self):
        return State(self.kept * elements_of(self.params))

    kept = between(0, 2)  # tensors as large as each parameter that it holds


@of("torch.optim.{Adam,AdamW,NAdam,RAdam,Adamax}")
class Adam(Optimizer):
    kept = 2


@of("torch.optim.{Adagrad,RMSprop}")
class OneMoment(Optimizer):
    kept = 1


@of("torch.optim.SGD")
class SGD(Optimizer):
    def __init__(self, params, lr=0.001, momentum=0, *args, **kwargs):
        super().__init__(params)
        self.kept = 0 if momentum == 0 else 1


@of("torch.optim.lr_scheduler.{LRScheduler,_LRScheduler,ReduceLROnPlateau}")
class LRScheduler:
    def __init__(self, optimizer, *args, **kwargs):
        self.optimizer = optimizer

    def state_dict(self):
        return State(0)


class State:
    """What state_dict() gives: so many numbers."""

    def __init__(self, elements):
        self.elements = elements


def elements_of(tensors):
    return sum([product_of(shape(one)) for one in tensors])


def elements_saved(obj, depth):
    """Of what nobody knows there may be any number."""
    if isinstance(obj, State):
        return obj.elements
    if is_tensor(obj):
        return product_of(shape(obj))
    if is_number(obj) or is_text(obj) or obj is None:
        return 0
    if is_list(obj) and depth < 4:
        return sum([elements_saved(one, depth + 1) for one in obj])
    if isinstance(obj, dict) and depth < 4:
        return sum([elements_saved(one, depth + 1) for one in obj.values()])
    return between(0, None)


@of("torch.save")
def save(obj, f, *args, **kwargs):
    copied(tensor((elements_saved(obj, 0),), "float"), True)


@of("torch.{amp,cuda.amp}.GradScaler", "torch.amp.grad_scaler.GradScaler")
class GradScaler:
    def __init__(self, *args, **kwargs):
        pass

    def state_dict(self):
        return State(0)

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        goes_through(optimizer.params)

    def step(self, optimizer, *args):
        goes_through(optimizer.params)

    def update(self, *args):
        return None


# ---- axes by name ----

def fit_axes(names, before, known):
    """Gives each name its size; of those in parentheses one may not be known yet."""
    more = len(before) - len(names)
    at = 0
    if more != 0 and "..." not in names:
        return
    for name in names:
        if is_text(name) and name == "...":
            known["..."] = before[at:at + more + 1]
            at = at + more + 1
        else:
            fit_group(name if is_list(name) else [name], before[at], known)
            at = at + 1


def fit_group(names, size, known):
    left, open = size, None
    for name in names:
        if name in known:
            left = left // known[name]
        else:
            open = name
    if open is not None:
        known[open] = left


def size_of_axes(names, known):
    made = ()
    for name in names:
        if is_list(name):
            made = made + (product_of(size_of_axes(name, known)),)
        elif name == "...":
            made = made + tuple(known["..."])
        else:
            made = made + (1 if name == "1" else known[name],)
    return made


def rearranged(x, pattern, known):
    left, right = axes(pattern, False)
    fit_axes(left, shape(x), known)
    return tensor(size_of_axes(right, known), x)


@of("einops.{rearrange,repeat}")
def rearrange(x, pattern, **known):
    return rearranged(stack(x) if is_list(x) else x, pattern, known)


@of("einops.reduce")
def reduce_axes(x, pattern, reduction, **known):
    return rearranged(x, pattern, known)


@of("einops.layers.torch.Rearrange")
class Rearrange(Module):
    def __init__(self, pattern, **known):
        self.pattern, self.known = pattern, known

    def __call__(self, x):
        return rearranged(x, self.pattern, dict(self.known))


@of("einops.layers.torch.Reduce")
class Reduce(Module):
    def __init__(self, pattern, reduction, **known):
        self.pattern, self.known = pattern, known

    def __call__(self, x):
        return rearranged(x, self.pattern, dict(self.known))


@of("torch.{einsum,functional.einsum}", "numpy.einsum")
def einsum(equation, *operands, **kwargs):
    """Of two operands a matrix product: batches are named by all, the inner axes not by what comes out."""
    operands = operands[0] if len(operands) == 1 and is_list(operands[0]) else operands
    sides, known = axes(equation, True), {}
    for i in range(len(operands)):
        fit_axes(sides[i], shape(operands[i]), known)
    made = size_of_axes(sides[-1], known)
    kind = cast("half", *operands) or operands[0]
    if len(operands) == 2:
        first, second, out = sides
        batch = product_of(size_of_axes([name for name in first if name in second and name in out], known))
        inner = product_of(size_of_axes([name for name in first if name in second and name not in out], known))
        rows = product_of(size_of_axes([name for name in first if name not in second], known))
        gemm(rows, inner, product_of(size_of_axes([name for name in second if name not in first], known)), batch)
    return tensor(made, kind)


@of("einops.einsum")
def einsum_by_words(*operands):
    sides, known = axes(operands[-1], False), {}
    for i in range(len(operands) - 1):
        fit_axes(sides[i], shape(operands[i]), known)
    gemm(1, product_of([known[name] for name in known]) // product_of(size_of_axes(sides[-1], known)), product_of(size_of_axes(sides[-1], known)))
    return tensor(size_of_axes(sides[-1], known), operands[0])


# ---- pictures: PIL, torchvision's transforms and data sets ----

class Picture:
    """Of PIL: so many channels, one of them where it is gray."""

    def __init__(self, channels, height, width):
        self.channels, self.height, self.width = channels, height, width
        self.size = (width, height)
        self.mode = "L" if channels == 1 else "RGB"

    def convert(self, mode="RGB", *args, **kwargs):
        return Picture(CHANNELS[mode] if mode in CHANNELS else between(1, 4), self.height, self.width)

    def resize(self, size, *args, **kwargs):
        return Picture(self.channels, size[1], size[0])

    def crop(self, box):
        return Picture(self.channels, box[3] - box[1], box[2] - box[0])

    def copy(self):
        return self

    def transpose(self, method):
        return self if method == "flip" else Picture(self.channels, between(1, None), between(1, None))

    def rotate(self, angle, resample=None, expand=False, *args, **kwargs):
        return Picture(self.channels, between(1, None), between(1, None)) if expand else self


CHANNELS = {"L": 1, "1": 1, "P": 1, "I": 1, "F": 1, "LA": 2, "RGB": 3, "HSV": 3, "LAB": 3, "YCbCr": 3, "RGBA": 4, "CMYK": 4}


@of("PIL.Image.open")
def opened_picture(*args, **kwargs):
    return Picture(between(1, 4), between(1, None), between(1, None))


@of("PIL.Image.new")
def new_picture(mode, size, *args):
    return Picture(CHANNELS[mode] if mode in CHANNELS else between(1, 4), size[1], size[0])


@of("PIL.Image.fromarray")
def picture_of_array(x, *args, **kwargs):
    size = shape(x)
    return Picture(size[2] if len(size) == 3 else 1, size[0], size[1])


@of("PIL.Image.{FLIP_LEFT_RIGHT,FLIP_TOP_BOTTOM}", "PIL.Image.Transpose.{FLIP_LEFT_RIGHT,FLIP_TOP_BOTTOM}")
def flipped():
    return "flip"


def pixels_of(x):
    """What ToTensor and its like make of a picture, and of an array whose channels stand last."""
    if not is_tensor(x):
        return (x.channels, x.height, x.width)
    size = shape(x)
    return (size[2], size[0], size[1]) if len(size) == 3 else (1,) + size


def edges_of(x):
    return shape(x)[-2:] if is_tensor(x) else (x.height, x.width)


def with_edges(x, height, width):
    if is_tensor(x):
        return tensor(shape(x)[:-2] + (height, width), x)
    return Picture(x.channels, height, width)


@of("torchvision.transforms{,.v2}.functional.{to_tensor}")
def to_tensor(x):
    return tensor(pixels_of(x), "float")


@of("torchvision.transforms{,.v2}.functional.{pil_to_tensor,to_image,to_image_tensor}")
def to_image(x):
    return x if is_tensor(x) else tensor(pixels_of(x), "byte")


@of("torchvision.transforms{,.v2}.functional.to_pil_image")
def to_picture(x, mode=None):
    size = shape(x) if is_tensor(x) else (x.channels, x.height, x.width)
    return Picture(size[0] if len(size) == 3 else 1, size[-2], size[-1])


@of("torchvision.transforms{,.v2}.functional.resize")
def resize(x, size, *args, **kwargs):
    """One number is the shorter edge."""
    if is_list(size) and len(size) == 2:
        return with_edges(x, size[0], size[1])
    short = size[0] if is_list(size) else size
    height, width = edges_of(x)
    return with_edges(x, max(short, short * height // min(height, width)), max(short, short * width // min(height, width)))


@of("torchvision.transforms{,.v2}.functional.{center_crop}")
def cropped(x, size, *args, **kwargs):
    size = as_pair(size, 2)
    return with_edges(x, size[0], size[-1])


@of("torchvision.transforms{,.v2}.functional.crop")
def crop(x, top, left, height, width):
    return with_edges(x, height, width)


@of("torchvision.transforms{,.v2}.functional.resized_crop")
def resized_crop(x, top, left, height, width, size, *args, **kwargs):
    return cropped(x, size)


@of("torchvision.transforms{,.v2}.functional.pad")
def padded(x, padding, *args, **kwargs):
    """One number for all sides, two for the left and right ones and for the others, or four."""
    sides = as_pair(padding, 2)
    height, width = edges_of(x)
    if len(sides) == 4:
        return with_edges(x, height + sides[1] + sides[3], width + sides[0] + sides[2])
    return with_edges(x, height + 2 * sides[-1], width + 2 * sides[0])


@of("torchvision.transforms{,.v2}.functional.{to_grayscale,rgb_to_grayscale}")
def to_gray(x, num_output_channels=1):
    if is_tensor(x):
        return tensor(shape(x)[:-3] + (num_output_channels,) + shape(x)[-2:], x)
    return Picture(num_output_channels, x.height, x.width)


@of("torchvision.transforms{,.v2}.functional.{hflip,vflip,normalize,adjust_brightness,adjust_contrast,adjust_hue,adjust_saturation,adjust_gamma,adjust_sharpness,autocontrast,equalize,invert,posterize,solarize,gaussian_blur,affine,perspective,erase,elastic_transform}")
def painted(x, *args, **kwargs):
    return x


@of("torchvision.transforms{,.v2}.functional.{convert_image_dtype}")
def to_element(x, dtype="float", **kwargs):
    return tensor(shape(x), dtype)


@of("torchvision.transforms{,.v2}.{ToTensor}")
class ToTensor:
    def __call__(self, x):
        return to_tensor(x)


@of("torchvision.transforms{,.v2}.{PILToTensor,ToImage}")
class ToImage:
    def __call__(self, x):
        return to_image(x)


@of("torchvision.transforms{,.v2}.ToPILImage")
class ToPicture:
    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, x):
        return to_picture(x)


@of("torchvision.transforms{,.v2}.{ConvertImageDtype}", "torchvision.transforms.v2.ToDtype")
class ToElement:
    def __init__(self, dtype="float", *args, **kwargs):
        self.dtype = dtype

    def __call__(self, x):
        return tensor(shape(x), self.dtype) if is_tensor(x) else x


@of("torchvision.transforms{,.v2}.Resize")
class Resize:
    def __init__(self, size, *args, **kwargs):
        self.size = size

    def __call__(self, x):
        return resize(x, self.size)


@of("torchvision.transforms{,.v2}.{CenterCrop,RandomCrop,RandomResizedCrop}")
class Crop:
    def __init__(self, size, *args, **kwargs):
        self.size = size

    def __call__(self, x):
        return cropped(x, self.size)


@of("torchvision.transforms{,.v2}.FiveCrop")
class FiveCrop(Crop):
    def __call__(self, x):
        return (cropped(x, self.size),) * 5


@of("torchvision.transforms{,.v2}.TenCrop")
class TenCrop(Crop):
    def __call__(self, x):
        return (cropped(x, self.size),) * 10


@of("torchvision.transforms{,.v2}.Pad")
class Pad:
    def __init__(self, padding, *args, **kwargs):
        self.padding = padding

    def __call__(self, x):
        return padded(x, self.padding)


@of("torchvision.transforms{,.v2}.Grayscale")
class Grayscale:
    def __init__(self, num_output_channels=1):
        self.channels = num_output_channels

    def __call__(self, x):
        return to_gray(x, self.channels)


@of("torchvision.transforms{,.v2}.{RandomHorizontalFlip,RandomVerticalFlip,RandomAffine,RandomPerspective,RandomErasing,RandomGrayscale,RandomInvert,RandomPosterize,RandomSolarize,RandomAdjustSharpness,RandomAutocontrast,RandomEqualize,ColorJitter,GaussianBlur,ElasticTransform,AutoAugment,RandAugment,TrivialAugmentWide,AugMix,Normalize,LinearTransformation,RandomApply}",
    "torchvision.transforms.v2.{RandomPhotometricDistort,RandomChannelPermutation,GaussianNoise,ClampBoundingBoxes,SanitizeBoundingBoxes,ToPureTensor,Identity}")
class Painted:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, x):
        return x


@of("torchvision.transforms{,.v2}.RandomRotation")
class RandomRotation:
    def __init__(self, degrees, interpolation=None, expand=False, *args, **kwargs):
        self.expand = expand

    def __call__(self, x):
        return with_edges(x, between(1, None), between(1, None)) if self.expand else x


@of("torchvision.transforms{,.v2}.{Compose,RandomOrder}")
class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for one in self.transforms:
            x = make(one, x)
        return x


@of("torchvision.transforms{,.v2}.RandomChoice")
class RandomChoice:
    """All of them give the same size, or a batch could not be made of what comes out."""

    def __init__(self, transforms, *args, **kwargs):
        self.transforms = transforms

    def __call__(self, x):
        return make(self.transforms[0], x)


@of("torchvision.transforms{,.v2}.Lambda")
class Lambda:
    def __init__(self, lambd, *args, **kwargs):
        self.lambd = lambd

    def __call__(self, x):
        return make(self.lambd, x)


class PictureSet:
    """channels, height, width and rows: of a picture, and how many there are; a class is a number."""
    height, width, rows = between(1, None), between(1, None), between(1, None)

    def keep(self, transform, target_transform=None, transforms=None):
        self.transform, self.target_transform, self.transforms = transform, target_transform, transforms

    def __getitem__(self, index):
        x, y = Picture(self.channels, self.height, self.width), between(0, None)
        if self.transforms is not None:
            return make(self.transforms, x, y)
        if self.transform is not None:
            x = make(self.transform, x)
        if self.target_transform is not None:
            y = make(self.target_transform, y)
        return x, y

    def __len__(self):
        return self.rows


@of("torchvision.datasets{,.mnist}.{MNIST,FashionMNIST,KMNIST,QMNIST}")
class MNIST(PictureSet):
    channels, height, width = 1, 28, 28

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False, **kwargs):
        self.keep(transform, target_transform)
        self.rows = 60000 if train else 10000


@of("torchvision.datasets{,.mnist}.EMNIST")
class EMNIST(PictureSet):
    channels, height, width = 1, 28, 28

    def __init__(self, root, split=None, train=True, transform=None, target_transform=None, **kwargs):
        self.keep(transform, target_transform)


@of("torchvision.datasets{,.cifar}.{CIFAR10,CIFAR100}")
class CIFAR(PictureSet):
    channels, height, width = 3, 32, 32

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.keep(transform, target_transform)
        self.rows = 50000 if train else 10000


@of("torchvision.datasets{,.svhn}.SVHN")
class SVHN(PictureSet):
    channels, height, width = 3, 32, 32

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        self.keep(transform, target_transform)
        self.rows = 73257 if split == "train" else 26032 if split == "test" else 531131


@of("torchvision.datasets{,.stl10}.STL10")
class STL10(PictureSet):
    channels, height, width = 3, 96, 96

    def __init__(self, root, split="train", folds=None, transform=None, target_transform=None, download=False):
        self.keep(transform, target_transform)
        if folds is None:
            self.rows = 5000 if split == "train" else 8000 if split == "test" else between(100000, 105000)


@of("torchvision.datasets{,.usps}.USPS")
class USPS(PictureSet):
    channels, height, width = 1, 16, 16

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.keep(transform, target_transform)
        self.rows = 7291 if train else 2007


@of("torchvision.datasets{,.folder}.ImageFolder")
class ImageFolder(PictureSet):
    channels = 3

    def __init__(self, root, transform=None, target_transform=None, *args, **kwargs):
        self.keep(transform, target_transform)


@of("torchvision.datasets{,.imagenet}.ImageNet")
class ImageNet(PictureSet):
    channels = 3

    def __init__(self, root, split="train", transform=None, target_transform=None, **kwargs):
        self.keep(transform, target_transform)
        self.rows = 1281167 if split == "train" else 50000


@of("torchvision.datasets.{Flowers102,Food101,DTD,GTSRB,FGVCAircraft,OxfordIIITPet,StanfordCars,Country211}")
class SplitPictures(PictureSet):
    channels = 3

    def __init__(self, root, *args, transform=None, target_transform=None, transforms=None, **kwargs):
        self.keep(transform, target_transform, transforms)


@of("torchvision.datasets{,.fakedata}.FakeData")
class FakeData(PictureSet):
    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0):
        self.keep(transform, target_transform)
        self.channels, self.height, self.width = image_size
        self.rows = size


# ---- data ----

@of("torch.utils.data.{TensorDataset,dataset.TensorDataset}")
class TensorDataset:
    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(one[0] for one in self.tensors)

    def __len__(self):
        return len(self.tensors[0])


@of("torch.utils.data.{Subset,dataset.Subset}")
class Subset:
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[index]

    def __len__(self):
        return len(self.indices)


@of("torch.utils.data.random_split")
def random_split(dataset, lengths, **kwargs):
    return [Part(dataset, length) for length in lengths]


class Part:
    def __init__(self, dataset, length):
        self.dataset, self.length = dataset, length

    def __getitem__(self, index):
        return self.dataset[index]

    def __len__(self):
        return self.length


@of("torch.utils.data.{DataLoader,dataloader.DataLoader}")
class DataLoader:
    delivers = False

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, *args, **kwargs):
        self.dataset, self.batch_size, self.collate_fn = dataset, batch_size, collate_fn
        self.batch_sampler = batch_sampler

    def __iter__(self):
        if self.batch_sampler is not None or self.batch_size is None:
            return batches(unknown(), None)
        batch = self.batch()
        return batches(delivered(batch) if self.delivers else batch, len(self))

    def batch(self):
        row = self.dataset[0]
        if self.collate_fn is None:
            return collated(row, self.batch_size)
        return make(self.collate_fn, [row for _ in range(self.batch_size)])

    def __len__(self):
        return -(-len(self.dataset) // self.batch_size)


# ---- frameworks: whose loops give a step its batch ----

def delivered(x):
    """On the GPU, before the step has it."""
    if is_tensor(x):
        return tensor(shape(x), x)
    if is_list(x):
        return tuple(delivered(one) for one in x)
    if isinstance(x, dict):
        return {name: delivered(one) for name, one in x.items()}
    if isinstance(x, Tokens):
        return Tokens({name: delivered(one) for name, one in x.items()})
    return x


@of("accelerate.Accelerator")
class Accelerator:
    def __init__(self, *args, mixed_precision=None, **kwargs):
        self.mixed_precision = mixed_precision

    def prepared(self, part):
        if isinstance(part, DataLoader):
            part.delivers = True
        return part

    def prepare(self, *parts, **kwargs):
        made = tuple(self.prepared(part) for part in parts)
        return made[0] if len(made) == 1 else made

    def prepare_data_loader(self, data_loader, *args, **kwargs):
        return self.prepared(data_loader)

    def prepare_model(self, model, *args, **kwargs):
        return model

    def prepare_optimizer(self, optimizer, *args, **kwargs):
        return optimizer

    def prepare_scheduler(self, scheduler):
        return scheduler

    def unwrap_model(self, model, *args, **kwargs):
        return model

    def gather(self, tensor):
        return tensor

    def gather_for_metrics(self, input_data, *args, **kwargs):
        return input_data

    def clip_grad_norm_(self, parameters_, max_norm, norm_type=2):
        return clip(parameters_)


@of("lightning.pytorch.Trainer")
class LightningTrainer:
    """A step of each loop, with the first batch."""

    def __init__(self, *args, precision=None, **kwargs):
        self.half = precision == 16 or precision == "16" or precision == "16-mixed" or precision == "bf16" or precision == "bf16-mixed"

    def loader_of(self, given, source, name):
        """That which is given, or the first of several; else what the model or the data module makes."""
        given = given if isinstance(given, DataLoader) or is_list(given) else make(getattr(source, name))
        return given[0] if is_list(given) else given

    def step(self, loader, step):
        batch = delivered(next(iter(loader)))
        with Autocast("cuda", "half", self.half):
            make(step, batch, between(0, None))

    def fit(self, model, train_dataloaders=None, val_dataloaders=None, datamodule=None, *args, **kwargs):
        source = model if datamodule is None else datamodule
        if train_dataloaders is not None and not isinstance(train_dataloaders, DataLoader) and not is_list(train_dataloaders):
            source = train_dataloaders
        source.setup("fit")
        self.step(self.loader_of(train_dataloaders, source, "train_dataloader"), model.training_step)
        self.evaluate(model, source, val_dataloaders)

    def evaluate(self, model, source, loader):
        with NoGrad():
            self.step(self.loader_of(loader, source, "val_dataloader"), model.validation_step)


@of("transformers.TrainingArguments")
class TrainingArguments:
    def __init__(self, output_dir=None, per_device_train_batch_size=8, per_device_eval_batch_size=8, gradient_accumulation_steps=1, fp16=False, bf16=False, **kwargs):
        self.output_dir, self.per_device_train_batch_size, self.per_device_eval_batch_size = output_dir, per_device_train_batch_size, per_device_eval_batch_size
        self.train_batch_size, self.gradient_accumulation_steps, self.half = per_device_train_batch_size, gradient_accumulation_steps, fp16 or bf16


@of("transformers.Trainer")
class HubTrainer:
    def __init__(self, model=None, args=None, data_collator=None, train_dataset=None, eval_dataset=None, *others, **kwargs):
        self.model, self.args, self.train_dataset, self.eval_dataset = model, TrainingArguments() if args is None else args, train_dataset, eval_dataset
        self.data_collator = RowsPadded() if data_collator is None else data_collator

    def get_train_dataloader(self):
        return DataLoader(self.train_dataset, self.args.per_device_train_batch_size, collate_fn=self.data_collator)

    def train(self, *args, **kwargs):
        batch = delivered(next(iter(self.get_train_dataloader())))
        with Autocast("cuda", "half", self.args.half):
            self.training_step(self.model, batch)

    def training_step(self, model, inputs, *args):
        return self.compute_loss(model, inputs)

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        return model(**inputs).loss
