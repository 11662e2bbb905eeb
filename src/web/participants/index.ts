// Owns the screens of invitations and of invited people.
// Does not own the answers, which assessments show too.
// Rules: contract/participants/invitations/participants.ts.
export { InviteForm } from './invitations/InviteForm.tsx'
export { type AreaText, areaTexts } from './texts/area-texts.ts'
