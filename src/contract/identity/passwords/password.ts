import { z } from 'zod'

/** Specification section 5: shown when a new password doesn't meet the rule. */
export const PASSWORD_RULE_MESSAGE =
  'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character(!@#$%^&*), and be at least 7 characters long.'

/** Specification sections 5 and 9: at least 7 characters, one of each kind, and no other characters. */
export const NewPassword = z
  .string()
  .max(256)
  .regex(/^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[!@#$%^&*])[A-Za-z0-9!@#$%^&*]{7,}$/, PASSWORD_RULE_MESSAGE)
