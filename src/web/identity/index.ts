// What the web pages of other domains use of identity.
export { ImpersonateButton } from './impersonation/ImpersonateButton.tsx'
