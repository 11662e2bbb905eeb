/** The details of a person that a later lead or a merge can add, but not change. Addresses and numbers are `person_contacts`. */
export const PERSON_DETAILS = [
  ...(['name', 'firstName', 'lastName', 'street', 'city', 'region'] as const),
  ...(['postalCode', 'country', 'language', 'preferredContact', 'contactTime'] as const),
]
