import { expect, test } from 'vitest'
import { loadModel } from '../../../shared/engine/models/load-model.ts'
import type { ModelSource } from '../../../shared/engine/models/model.ts'

test('two models are kept, the one that was not asked for longest is closed', async () => {
  const events: string[] = []
  const source: ModelSource = async reference => {
    events.push(`load ${reference.modelId}`)
    const close = async () => void events.push(`close ${reference.modelId}`)
    return { ...reference, labels: [], languages: [], detect: async texts => texts.map(() => []), close }
  }
  for (const modelId of ['a', 'b', 'a', 'c', 'a', 'b']) await loadModel({ modelId, modelVersion: '1' }, [source])
  expect(events).toEqual(['load a', 'load b', 'load c', 'close b', 'load b', 'close c'])
})
