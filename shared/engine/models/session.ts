import { EngineError } from '../errors.ts'

/** A batch of windows of equal length: rows of piece ids, 1 where there is a piece, and the type ids. */
export type Batch = { rows: number; columns: number; ids: BigInt64Array; mask: BigInt64Array; types: BigInt64Array }

/** A running model. */
export type Session = {
  /** Logits: rows × columns × labels. */
  run(batch: Batch): Promise<Float32Array>
  /** Frees its memory. */
  close(): Promise<void>
}

/** Starts a model whose file was checked. Throws `model_load_failed`. `labels` is the width that its output must have. */
export async function startSession(
  name: string,
  weights: Uint8Array,
  inputs: readonly string[],
  labels: number,
  { threads, reuse }: { threads: number; reuse: boolean },
): Promise<Session> {
  const fail = (reason: string) => new EngineError('model_load_failed', `Model ${name}: ${reason}`)
  // The runtime reports to its makers unless this is set; where a thread runs it, its process must have it as well.
  process.env.ORT_DISABLE_TELEMETRY = '1'
  // Loaded on first use: functions that never run a model need neither its memory nor its time.
  const { InferenceSession, Tensor } = await import('onnxruntime-node').catch(() => {
    throw fail('the inference runtime is not available on this machine')
  })
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Memory that is taken anew for each batch costs a quarter of the time; that of long windows is given back.
    enableCpuMemArena: reuse,
    enableMemPattern: false,
    logSeverityLevel: 4,
  }).catch(() => {
    throw fail('the inference runtime refuses it')
  })
  const output = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0]!

  return {
    close: () => session.release(),
    async run({ rows, columns, ids, mask, types }) {
      const shape = [rows, columns]
      const feeds = Object.fromEntries(
        inputs.map(input => {
          if (input === 'input_ids') return [input, new Tensor('int64', ids, shape)]
          if (input === 'attention_mask') return [input, new Tensor('int64', mask, shape)]
          if (input === 'token_type_ids') return [input, new Tensor('int64', types, shape)]
          const positions = BigInt64Array.from({ length: rows * columns }, (_, i) => BigInt(i % columns))
          return [input, new Tensor('int64', positions, shape)]
        }),
      )
      // The runtime's own message may hold shapes and values: it is not passed on.
      const results = await session.run(feeds, [output]).catch(() => {
        throw fail('it failed while it ran')
      })
      const logits = results[output]!
      if (logits.type !== 'float32' || logits.dims.join() !== `${rows},${columns},${labels}`) {
        throw fail('its output has another shape than its labels')
      }
      return logits.data as Float32Array
    },
  }
}
