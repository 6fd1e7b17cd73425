import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Plan, type Secrets, scopeOf } from 'anonymisation-engine'
import { deriveSecret } from '../store/keys.ts'

/** Secrets that stay the same, asked for once per sandbox. */
const derived = new Map<string, Promise<KeyObject>>()

function lasting(purpose: string): Promise<KeyObject> {
  const known = derived.get(purpose)
  if (known) return known
  const asked = deriveSecret(purpose)
  derived.set(purpose, asked)
  asked.catch(() => derived.delete(purpose))
  return asked
}

const passing = () => createSecretKey(randomBytes(32))

/**
 * The keys of one request: hashes and what has the scope of the deployment or of a project are those of jobs; the request
 * is a job of its own, whose other keys nobody needs again.
 */
export async function secretsFor({ rules, project }: Plan): Promise<Secrets> {
  const named = new Set(rules.map(({ replacement }) => scopeOf(replacement)))
  const hashes = rules.some(({ replacement }) => 'hash' in replacement)
  const [hash, ofDeployment, ofProject] = await Promise.all([
    hashes ? lasting('hash') : passing(),
    named.has('deployment') ? lasting('deployment') : undefined,
    named.has('project') && project ? lasting(`project:${project}`) : undefined,
  ])
  return { hash, pseudonym: passing(), document: passing(), deployment: ofDeployment, project: ofProject }
}
