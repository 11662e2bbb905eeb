import type { View } from '#contract/lists/views.ts'

type Names = {
  /** The organization the user works in. */
  organization: string
  /** Null: the user's own. */
  userType: string | null
}

/** Labels for who can see a view, by scope. */
export function scopeNames({
  organization,
  userType,
}: Names): readonly { scope: View['scope']; name: string }[] {
  return [
    { scope: 'private', name: 'Only me' },
    { scope: 'organization', name: organization === '' ? 'My organization' : `Everyone in ${organization}` },
    {
      scope: 'userType',
      name: userType === null ? 'Everyone with my user type' : `Everyone with user type ${userType}`,
    },
  ]
}
