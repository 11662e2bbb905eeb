/**
 * What people and programs write where there is nothing to write, and addresses of programs. Many buyers share them, so that they
 * never say that two leads are from one person.
 */

const NO_NAMES =
  /^(?:n\/?a|none|no name|not (?:given|provided|available)|unknown|anonymous|test(?:er|ing)?(?: test| lead| user)?|customer|buyer|guest|(?:internet|web|online|new) (?:lead|customer|shopper|buyer)|first(?: ?name)? last(?: ?name)?|null|undefined|x+|-+|\.+)$/i

export const isPlaceholderName = (name: string): boolean => NO_NAMES.test(name.trim())

/** The part before the @, without what follows a plus sign. */
const NO_ADDRESSES =
  /^(?:tests?\d*|testing|tester|no[-_.]?e?mail|no[-_.]?address|none|n[-_.]?a|null|nobody|noone|anonymous|unknown|asdf+|qwerty|abc|xyz|fake|email|your[-_.]?e?mail|customer|buyer|(?:no|do[-_.]?not)[-_.]?reply|leads?|adf|notif(?:y|ications?)|alerts?|mailer(?:[-_.]?daemon)?|postmaster|webmaster|(?:web)?forms?|website|bounces?|crm|robot|bot)$/

/** Also an address of a program. */
export function isPlaceholderEmail(email: string): boolean {
  const [local = '', domain] = email.trim().toLowerCase().split('@')
  if (domain === undefined) return true
  const name = local.replace(/\+.*$/, '')
  return NO_ADDRESSES.test(name) || /^(.)\1+$/.test(name)
}

/** As it was written, or in E.164. */
export function isPlaceholderPhone(phone: string): boolean {
  const digits = phone.replaceAll(/\D/g, '')
  if (digits.length < 7) return true
  return /(\d)\1{6}$/.test(digits) || /(?:1234567(?:890?)?|0123456789|9876543210?|7654321)$/.test(digits)
}
