import { type Permission, can, Func, Opr } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'

const REQUIRED = can(Func.impersonation, Opr.execute)

export type Candidate = { isSelf: boolean; isSuper: boolean; isActive: boolean; lock: string | null }

/**
 * Why a user can't be impersonated, as a sentence; null if nothing known here prevents it. The server
 * decides.
 */
export function whyNotImpersonate(
  { isSelf, isSuper, isActive, lock }: Candidate,
  holds: (permission: Permission) => boolean | null,
  isImpersonating: boolean,
): string | null {
  if (isImpersonating) return "You're already impersonating a user. Switch back first."
  if (holds(REQUIRED) === false) return `This requires ${describe(REQUIRED)}.`
  if (isSelf) return 'This is your own account.'
  if (isSuper) return "Super users can't be impersonated."
  if (!isActive) return "This user can't sign in, so you can't impersonate them."
  return lock
}
