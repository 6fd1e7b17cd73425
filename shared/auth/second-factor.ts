import { settings } from '../settings.ts'
import type { SessionProof } from '../store/sessions.ts'

/** How a session began: with a password, also a code, or by a provider, which asks for several factors or doesn't. */
type Amr = SessionProof['amr']

/** Whether a provider, and nothing of ours, has proved who somebody is. */
export const isSignOn = (amr: Amr): boolean => amr === 'sso' || amr === 'mfa'

/** Whether somebody's role needs a second factor that they don't have, or the provider has not asked for. */
export function lacksSecondFactor(
  { role, secondFactor }: { role: string; secondFactor?: string | null },
  amr: Amr = 'pwd',
): boolean {
  const roles = settings()
    .SECOND_FACTOR_ROLES.split(',')
    .map(name => name.trim())
  const isProven = isSignOn(amr) ? amr === 'mfa' : Boolean(secondFactor)
  return !isProven && roles.includes(role)
}

/** What somebody must do before anything else, as a log-in says it. */
export const dutiesOf = (
  user: { role: string; secondFactor?: string | null; mustChangePassword?: boolean },
  amr: Amr = 'pwd',
) => ({
  ...(user.mustChangePassword && !isSignOn(amr) && { password_change_required: true as const }),
  ...(lacksSecondFactor(user, amr) && { second_factor_setup_required: true as const }),
})
