import { PASSWORD_RULE_MESSAGE } from '#contract/identity/passwords/password.ts'
import { meetsPasswordRule } from '#web/ui/form/password-rule.ts'

export type PasswordChange = { oldPassword: string; newPassword: string; confirmPassword: string }

export const BLANK_CHANGE: PasswordChange = { oldPassword: '', newPassword: '', confirmPassword: '' }

/** Checks a change of password, field by field, with the messages of specification section 5. */
export function checkChange(values: PasswordChange): Partial<PasswordChange> {
  const { oldPassword, newPassword, confirmPassword } = values
  return {
    ...(oldPassword === '' && { oldPassword: 'Old Password is required' }),
    ...checkNew(newPassword),
    ...checkConfirmed(newPassword, confirmPassword),
  }
}

function checkNew(newPassword: string): Partial<PasswordChange> {
  if (newPassword === '') return { newPassword: 'New Password is required' }
  return meetsPasswordRule(newPassword) ? {} : { newPassword: PASSWORD_RULE_MESSAGE }
}

function checkConfirmed(newPassword: string, confirmPassword: string): Partial<PasswordChange> {
  if (confirmPassword === '') return { confirmPassword: 'Confirm Password is required' }
  if (confirmPassword === newPassword) return {}
  return { confirmPassword: 'Password and Confirm Password must be match.' }
}
