import { Func, Opr, type Permission } from './permissions.ts'

/**
 * Numbers that are kept for features to come. Nothing asks for them, so nobody can hold or grant them. A feature moves its
 * own to `Func`, and its migration grants it.
 */
export const RESERVED_FUNCTIONS: Readonly<Record<number, string>> = {
  14: 'Targets',
  21: 'Disclosure reports',
  43: 'Security policy',
  44: 'API keys',
  45: 'Single sign-on',
  47: 'Appearance',
}

/** "Lots, delete". Reserved functions are named as well, because old entries of the audit log are about them. */
export function permissionText({ func, opr }: Permission): string {
  const title = Object.values(Func).find((one) => one.func === func)?.title ?? RESERVED_FUNCTIONS[func]
  const operation = Object.entries(Opr).find(([, number]) => number === opr)?.[0]
  return `${title ?? 'Unknown function'}, ${operation ?? 'unknown'}`
}

/** A permission as error messages name it: "Lots, create (8, 3)". */
export function describe(permission: Permission): string {
  return `${permissionText(permission)} (${permission.func}, ${permission.opr})`
}
