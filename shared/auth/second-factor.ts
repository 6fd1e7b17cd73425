import { settings } from '../settings.ts'

/** Whether somebody's role needs a second factor that they don't have. */
export function lacksSecondFactor({ role, secondFactor }: { role: string; secondFactor?: string | null }): boolean {
  const roles = settings()
    .SECOND_FACTOR_ROLES.split(',')
    .map(name => name.trim())
  return !secondFactor && roles.includes(role)
}

/** What somebody must do before anything else, as a log-in says it. */
export const dutiesOf = (user: { role: string; secondFactor?: string | null; mustChangePassword?: boolean }) => ({
  ...(user.mustChangePassword && { password_change_required: true as const }),
  ...(lacksSecondFactor(user) && { second_factor_setup_required: true as const }),
})
