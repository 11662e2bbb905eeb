import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import type { VehicleListing } from './vehicle-listing.ts'

type Field = 'body' | 'fuel' | 'transmission' | 'drivetrain'
type Receiver = 'google' | 'meta'

/**
 * What receivers call our own values. A value without a word is left out: a wrong one would advertise another vehicle. Sources:
 * Google, vehicle ads attributes (support.google.com/merchants/answer/11190480); Meta, automotive inventory ads, catalogs and feeds.
 */
export const CHANNEL_WORDS: Readonly<
  Record<Receiver, Readonly<Partial<Record<Field, Readonly<Record<string, string>>>>>>
> = {
  meta: {
    body: {
      SUV: 'SUV',
      Truck: 'TRUCK',
      Sedan: 'SEDAN',
      Coupe: 'COUPE',
      Convertible: 'CONVERTIBLE',
      Hatchback: 'HATCHBACK',
      Wagon: 'WAGON',
      Minivan: 'MINIVAN',
      Van: 'VAN',
      Chassis: 'OTHER',
      Motorcycle: 'OTHER',
    },
    fuel: {
      Gasoline: 'GASOLINE',
      Diesel: 'DIESEL',
      Hybrid: 'HYBRID',
      'Plug-in hybrid': 'PLUGIN_HYBRID',
      Electric: 'ELECTRIC',
      'Flex fuel': 'FLEX',
      'Natural gas': 'OTHER',
      Hydrogen: 'OTHER',
    },
    transmission: { Automatic: 'AUTOMATIC', Manual: 'MANUAL', CVT: 'AUTOMATIC', 'Dual clutch': 'AUTOMATIC' },
    // Of "2WD", no one knows which wheels.
    drivetrain: { AWD: 'AWD', '4WD': 'FOUR_WD', FWD: 'FWD', RWD: 'RWD', '2WD': '' },
  },
  google: {
    body: {
      SUV: 'suv',
      Truck: 'truck',
      Sedan: 'sedan',
      Coupe: 'coupe',
      Convertible: 'convertible',
      Hatchback: 'hatchback',
      Wagon: 'station wagon',
      Minivan: 'minivan',
      Van: 'full size van',
      Chassis: '',
      Motorcycle: '',
    },
    fuel: {
      Gasoline: 'gasoline',
      Diesel: 'diesel',
      Hybrid: 'hybrid',
      'Plug-in hybrid': 'hybrid',
      Electric: 'electric',
      'Flex fuel': '',
      'Natural gas': '',
      Hydrogen: '',
    },
  },
}

/** The fuel of vehicles that are also or only electric. A mild hybrid drives on its fuel. */
const ELECTRIFIED: Readonly<Record<string, string>> = {
  hybrid: 'Hybrid',
  'plug-in': 'Plug-in hybrid',
  electric: 'Electric',
  'fuel-cell': 'Hydrogen',
}

/** What a vehicle drives on, from its fuel and its electrification: "Gasoline" and "plug-in" is a plug-in hybrid. */
export function driveOf({
  fuel,
  electrification,
}: Pick<VehicleListing, 'fuel' | 'electrification'>): string | null {
  const own = fuel === null ? null : (canonicalValue('fuel', fuel) ?? fuel)
  const electrified = ELECTRIFIED[electrification ?? '']
  // "Plug-in hybrid" says more than "hybrid".
  return electrified === undefined || (electrified === 'Hybrid' && own === 'Plug-in hybrid')
    ? own
    : electrified
}

/** What is known of a vehicle's body and drive. */
export type Drive = Pick<VehicleListing, 'body' | 'fuel' | 'electrification' | 'transmission' | 'drivetrain'>

/** The word of a receiver for a value of a vehicle; '' without one. */
export function channelWord(receiver: Receiver, field: Field, listing: Drive): string {
  const value = field === 'fuel' ? driveOf(listing) : listing[field]
  if (value === null) return ''
  const word = CHANNEL_WORDS[receiver][field]?.[canonicalValue(field, value) ?? value]
  return word ?? (receiver === 'meta' && field === 'body' ? 'OTHER' : '')
}
