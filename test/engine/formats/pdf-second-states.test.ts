import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { expect, it } from 'vitest'
import { openSecond, secondText } from '../../../shared/engine/formats/pdf/text/second-reader.ts'

const { create } = Object

const twoLines = async (): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage()
  page.drawText('Harbour', { x: 60, y: 700, size: 11, font })
  page.drawText('bank', { x: 60, y: 680, size: 22, font })
  return document.save()
}

it('finds the states of text of the second reader in the first text that it reads', async () => {
  const reader = await openSecond(await twoLines())
  const texts = [secondText(await reader.read(0)), secondText(await reader.read(0))]
  expect(texts).toEqual(['Harbour \nbank', 'Harbour \nbank'])
  expect(Object.create).toBe(create)
  // Once they are found nothing watches for them any longer.
  let isReplaced = false
  const watched = Object.getOwnPropertyDescriptor(Object, 'create') as PropertyDescriptor
  Object.defineProperty(Object, 'create', {
    configurable: true,
    get: () => create,
    set: () => {
      isReplaced = true
    },
  })
  try {
    await reader.read(0)
  } finally {
    Object.defineProperty(Object, 'create', watched)
    await reader.close()
  }
  expect(isReplaced).toBe(false)
})
