import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Platforms whose inference runtime stays: this machine's, and Lambda's for deployments. */
const kept = [`${process.platform}/${process.arch}`, 'linux/arm64']

/**
 * Removes files of packages that nothing here reads, about half of all. Packages stay where they are, so npm finds
 * what it installed.
 */
export function prune(root) {
  const at = (...parts) => join(root, 'node_modules', ...parts)
  const remove = path => rmSync(path, { recursive: true, force: true })

  // The whole distribution of Node.js, with its headers. The program itself was linked to node/bin.
  remove(at('node', 'node_modules'))
  const runtimes = at('onnxruntime-node', 'bin', 'napi-v6')
  for (const platform of list(runtimes)) {
    for (const arch of list(join(runtimes, platform.name))) {
      if (!kept.includes(`${platform.name}/${arch.name}`)) remove(join(runtimes, platform.name, arch.name))
    }
  }
  // The cores are loaded from .wasm files, with the older engine included; the other files hold the same again.
  for (const { name } of list(at('tesseract.js-core'))) {
    if (/\.wasm\.js$|-lstm\./.test(name)) remove(at('tesseract.js-core', name))
  }
  // The trained data that is used is 4.0.0_best_int.
  remove(at('@tesseract.js-data', 'eng', '4.0.0'))
  // A Lambda layer with the command line of AWS, which the stack has no use for.
  remove(at('@aws-cdk', 'asset-awscli-v1', 'lib', 'layer.zip'))
  // pdf.js draws with it; here it only reads text.
  for (const { name } of list(at('@napi-rs'))) if (name.startsWith('canvas')) remove(at('@napi-rs', name))
  removeMaps(at())
}

/** Removes the source maps, with which a debugger would show the sources of packages. */
function removeMaps(folder) {
  for (const entry of list(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeMaps(path)
    else if (/\.(js|mjs|cjs|ts|mts|cts)\.map$/.test(entry.name)) rmSync(path)
  }
}

function list(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
