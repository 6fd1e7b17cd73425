import { type Field, fields } from './protobuf.ts'

/** What a token classifier may ask for and must give. */
export type Graph = { inputs: string[]; outputs: string[] }

/** Inputs that a token classifier may have; anything else can't be filled. */
const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']

/**
 * Operators that exported and optimised token classifiers consist of: arithmetic, shapes, attention and a choice of two
 * graphs, which are checked alike. Nothing that loops, reads files or draws random numbers.
 */
const operators = new Set(
  `Abs Add And ArgMax Attention BiasGelu Cast CastLike Ceil Clip Concat Constant ConstantOfShape Cos CumSum
  DequantizeLinear Div DynamicQuantizeLinear DynamicQuantizeMatMul Einsum EmbedLayerNormalization Equal Erf Exp Expand
  FastGelu Flatten Floor FusedMatMul Gather GatherBlockQuantized GatherElements GatherND Gelu Gemm Greater GreaterOrEqual Identity If IsNaN
  LayerNormalization Less LessOrEqual Log MatMul MatMulInteger MatMulIntegerToFloat MatMulNBits Max Min Mod Mul
  MultiHeadAttention Neg NonZero Not Or Pad Pow QAttention QEmbedLayerNormalization QLinearMatMul QuantizeLinear
  QuickGelu Range Reciprocal ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Relu Reshape RotaryEmbedding
  ScatterElements ScatterND Shape Sigmoid Sign SimplifiedLayerNormalization Sin SkipLayerNormalization
  SkipSimplifiedLayerNormalization Slice Softmax Split Sqrt Squeeze Sub Sum Tanh Tile TopK Transpose Trilu Unsqueeze Where
  Xor`.split(/\s+/),
)
const domains = new Set(['', 'ai.onnx', 'com.microsoft'])

/**
 * Reads what an ONNX file holds before it is run. Throws an Error with the reason when it needs other files, operators
 * or inputs than a token classifier does.
 */
export function inspectGraph(model: Uint8Array): Graph {
  let graph: Uint8Array | undefined
  try {
    for (const field of fields(model)) {
      if (field.number === 7) graph = message(field)
      else if (field.number === 20) throw new Refused('training information is not supported')
      else if (field.number === 25) for (const node of all(message(field), 7)) checkNode(node)
    }
    if (!graph) throw new Refused('it has no graph')
    const weights = checkGraph(graph)
    const inputs = all(graph, 11)
      .map(name)
      .filter(input => !weights.has(input))
    const unknown = inputs.find(input => !knownInputs.includes(input))
    if (unknown !== undefined) throw new Refused(`graph input «${printable(unknown)}» is not supported`)
    if (!inputs.includes('input_ids')) throw new Refused('graph input «input_ids» is missing')
    return { inputs, outputs: all(graph, 12).map(name) }
  } catch (error) {
    throw error instanceof Refused ? error : new Error('it is not an ONNX model')
  }
}

class Refused extends Error {}

/** Checks nodes and weights, those of nested graphs included. Gives the names of the weights. */
function checkGraph(graph: Uint8Array, depth = 0): Set<string> {
  if (depth > 4) throw new Refused('graphs are nested too deeply')
  const weights = new Set<string>()
  for (const field of fields(graph)) {
    if (field.number === 1) checkNode(message(field), depth)
    else if (field.number === 5) {
      checkTensor(message(field))
      weights.add(text(first(message(field), 8)))
    } else if (field.number === 15) throw new Refused('sparse weights are not supported')
  }
  return weights
}

function checkNode(node: Uint8Array, depth = 0) {
  const operator = text(first(node, 4))
  const domain = text(first(node, 7))
  if (!domains.has(domain) || !operators.has(operator)) {
    throw new Refused(`operator «${printable(domain ? `${domain}.${operator}` : operator)}» is not supported`)
  }
  for (const attribute of all(node, 5)) {
    for (const field of fields(attribute)) {
      if (field.number === 5 || field.number === 10) checkTensor(message(field))
      else if (field.number === 6 || field.number === 11) checkGraph(message(field), depth + 1)
    }
  }
}

function checkTensor(tensor: Uint8Array) {
  for (const field of fields(tensor)) {
    if (field.number === 13 || (field.number === 14 && field.value !== 0)) {
      throw new Refused('weights in other files are not supported')
    }
  }
}

function message(field: Field): Uint8Array {
  if (typeof field.value === 'number') throw new Error('damaged')
  return field.value
}

const all = (bytes: Uint8Array, number: number) =>
  Array.from(fields(bytes))
    .filter(field => field.number === number)
    .map(message)
const first = (bytes: Uint8Array, number: number) => all(bytes, number)[0] ?? new Uint8Array()
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')
const name = (value: Uint8Array) => text(first(value, 1))
const printable = (value: string) => value.replace(/[^\w.:/-]/g, '?').slice(0, 64)
