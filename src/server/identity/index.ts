// Identity owns people, their types, sign-in, sessions, permissions and branding by domain.
// It does not own what a person works on, nor the customers' own data.
// Its rules come from the specification, sections 3 to 7, and docs/decisions.
export { authHandlers } from './auth.ts'
export { authenticate } from './authenticate.ts'
export { refuseInSkin } from './ceiling.ts'
export { CUSTOMER_USER_TYPES, PLATFORM_USER_TYPES } from './default-user-types.ts'
export { makeIdentity, type Identity } from './identity.ts'
export { admitMailReader } from './mail-readers.ts'
export { invite, revealLatestMail } from './password-mails.ts'
export { makePasswords } from './passwords.ts'
export { addPerson, addUserType } from './people.ts'
export { endSessions } from './sessions.ts'
export { hasOpenDemo } from './sign-in.ts'
export { sweepSessions } from './sweep.ts'
export { listSwitchChoices } from './switch-choices.ts'
export { userTypeHandlers } from './user-types.ts'
export { userHandlers } from './users.ts'
export { whiteLabelOf } from './white-label.ts'
