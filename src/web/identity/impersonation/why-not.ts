import { describe, type Permission, can, Func, Opr } from '#contract/permissions.ts'

const WANTED = can(Func.impersonation, Opr.execute)

export type Candidate = { isSelf: boolean; isSuper: boolean; isActive: boolean; lock: string | null }

/** What can be told beforehand of why somebody cannot be impersonated, as a sentence; the server decides. */
export function whyNotImpersonate(
  { isSelf, isSuper, isActive, lock }: Candidate,
  holds: (wanted: Permission) => boolean | null,
  isImpersonating: boolean,
): string | null {
  if (isImpersonating) return 'You are acting as somebody else already. Switch back first.'
  if (holds(WANTED) === false) return `It needs ${describe(WANTED)}.`
  if (isSelf) return 'This is your own account.'
  if (isSuper) return 'Nobody acts as a super user.'
  if (!isActive) return 'They may not sign in, so nobody acts as them.'
  return lock
}
