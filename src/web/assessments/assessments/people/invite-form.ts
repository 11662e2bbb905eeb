import { createContext, type ReactNode, use } from 'react'
import type { Invitation } from '#contract/participants/invitations/participants.ts'

/** The form that invites people without an account to answer. */
export type InviteFormProps = {
  targetIds: readonly string[]
  /** The assessment is open, so the email goes out now. */
  isOpen: boolean
  hasOwner: boolean
  onInvited: (invited: Invitation[]) => void
}

/** Shows participants' form to invite people, which the page of an assessment is given. */
export const InviteFormContext = createContext<(props: InviteFormProps) => ReactNode>(() => null)

export const useInviteForm = () => use(InviteFormContext)
