/** Name of the empty picture that stands for those that can't be read. */
export const blankPicture = 'media/blank.png'

/** A light grey picture of one dot. */
export const blankPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGO4AwAA3gDdXeHJVgAAAABJRU5ErkJggg==',
  'base64',
)
