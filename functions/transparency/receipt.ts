import { notFound } from '../../shared/api/problems.ts'
import { transparency } from '../../shared/api/transparency.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { receiptOf } from '../../shared/transparency/proofs.ts'

export const handler = handle(transparency.receipt)(async ({ query: { entry } }) => {
  const receipt = await receiptOf(entry)
  if (receipt === undefined) throw notFound('receipt')
  return receipt
})
