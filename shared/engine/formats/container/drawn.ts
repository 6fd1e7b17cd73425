/** Whether the bytes of a picture are those of a drawing (SVG): no other begins as XML does. */
export const isDrawn = (bytes: Uint8Array): boolean =>
  /^\ufeff?\s*</.test(Buffer.from(bytes.subarray(0, 256)).toString())
