/** The details of a person that a later lead or a merge can add, but not change. A phone number comes with its E.164 form. */
export const PERSON_DETAILS = [
  ...(['name', 'firstName', 'lastName', 'email', 'phone', 'phoneE164', 'street', 'city', 'region'] as const),
  ...(['postalCode', 'country', 'language', 'preferredContact', 'contactTime'] as const),
]
