/** What the address of a vehicle page is made of. */
export type AddressFacts = Readonly<{
  id: string
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
}>

const MAX_WORDS = 80

/**
 * The last part of a vehicle page's address: `2023-ford-explorer-xlt-4711`. It ends in the vehicle's ID, so that an address
 * works after the name of the vehicle changed.
 */
export function vehicleSlug({ id, year, make, model, trim }: AddressFacts): string {
  const words = [year, make, model, trim]
    .filter((part) => part !== null)
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_WORDS)
    .replaceAll(/^-+|-+$/g, '')
  return words === '' ? id : `${words}-${id}`
}

/** The vehicle's ID in such an address; null if it has none. */
export function idOfSlug(slug: string): string | null {
  return /(?:^|-)([1-9]\d{0,17})$/.exec(slug)?.[1] ?? null
}

/** The path of a vehicle page. */
export const vehiclePath = (facts: AddressFacts): string => `/v/${vehicleSlug(facts)}`
