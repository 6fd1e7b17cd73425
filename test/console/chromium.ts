import { existsSync } from 'node:fs'

/** Debian's Chromium, best without its own windows, which take as long as the pages; or the one that `CHROMIUM` names. */
export const executablePath =
  process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(path => existsSync(path)) ?? ''
