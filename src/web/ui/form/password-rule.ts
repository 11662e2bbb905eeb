/** Specification section 5, one entry per requirement, so that users see which one is missing. */
export const PASSWORD_PARTS = [
  { what: 'At least 7 characters', isMet: (text: string) => text.length >= 7 },
  { what: 'A lowercase letter', isMet: (text: string) => /[a-z]/.test(text) },
  { what: 'An uppercase letter', isMet: (text: string) => /[A-Z]/.test(text) },
  { what: 'A number', isMet: (text: string) => /[0-9]/.test(text) },
  { what: 'One of !@#$%^&*', isMet: (text: string) => /[!@#$%^&*]/.test(text) },
  { what: 'No other characters', isMet: (text: string) => /^[A-Za-z0-9!@#$%^&*]+$/.test(text) },
] as const

/** Whether a password meets the full rule of the contract, for pages that don't load the contract's schemas. */
export function meetsPasswordRule(text: string): boolean {
  return PASSWORD_PARTS.every(({ isMet }) => isMet(text))
}
