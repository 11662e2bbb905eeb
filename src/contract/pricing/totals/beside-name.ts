/** What is said beside a name: nothing if it only says the name again, as with a rule named after its kind. */
export const besideName = (name: string, about: string): string => (isSame(name, about) ? '' : about)

const isSame = (one: string, other: string): boolean => key(one) === key(other)
const key = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
