import type { View } from '#contract/lists/views.ts'

type Names = {
  /** The one the person acts in. */
  organization: string
  /** Null: the person's own. */
  userType: string | null
}

/** Who sees a view, for each way of sharing it. */
export function scopeNames({
  organization,
  userType,
}: Names): readonly { scope: View['scope']; name: string }[] {
  return [
    { scope: 'private', name: 'Only me' },
    { scope: 'organization', name: organization === '' ? 'My organization' : `Everybody in ${organization}` },
    {
      scope: 'userType',
      name: userType === null ? 'Everybody of my user type' : `Everybody of type ${userType}`,
    },
  ]
}
