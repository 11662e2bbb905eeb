import type { CustomerDetailsChange } from '#contract/customers/details/details.ts'
import type { NewLot } from '#contract/customers/lots/lots.ts'
import type { NewFacility } from '#contract/organizations/facilities/facilities.ts'
import type { NewOrganization } from '#contract/organizations/profile/profiles.ts'
import type { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import type { TemplateKey } from '#contract/mail/templates/templates.ts'
import type { FunctionName, OprNumber } from '#contract/permissions.ts'
import type { DemoChannel } from './demo-channels.ts'
import type { DemoValues } from './demo-values.ts'
import type { DemoInventory } from './demo-inventories.ts'
import type { DemoMapping } from './provider-mappings.ts'
import type { DemoFeed } from './feeds/demo-feed.ts'
import type { z } from 'zod'

export type Cell = readonly [FunctionName, OprNumber]

export type DemoPerson = {
  userName: string
  firstName: string
  lastName: string
  email: string
  userType: string
  isSuper?: boolean
  organizations: readonly string[]
  jobTitle?: string
  phone?: string
  /** `invited` never had a password, `off` may not sign in. */
  state?: 'invited' | 'off'
  /** Where their rights differ from their type. */
  allowed?: readonly Cell[]
  denied?: readonly Cell[]
  /** Has an authenticator with this secret, and these backup codes. */
  authenticator?: { secret: string; backupCodes: readonly string[] }
  /** Named where the start prints who may sign in. */
  isAnnounced?: boolean
}

/** A user type the customer made for itself: what another grants, with a few more and a few less. */
export type DemoUserType = {
  name: string
  under: string
  like: string
  more?: readonly Cell[]
  less?: readonly FunctionName[]
  /** Its people are asked for a second factor, which nobody else in the demo world is. */
  requiresSecondFactor?: true
}

/** A lot with so many vehicles on it. */
export type DemoLot = NewLot & { vehicles?: number }

/** What an organization says about itself. */
export type DemoProfile = Omit<z.input<typeof NewOrganization>, 'name' | 'logo' | 'timeZone'>

/** A facility in another one, and on a lot, by their codes. Those that others stand in come first. */
export type DemoFacility = Omit<NewFacility, 'organizationId' | 'parentId' | 'lotId'> & {
  within?: string
  lot?: string
}

export type DemoHandler = { name: string; kind: 'outbox'; fromName: string; fromEmail: string }

/** A name of the customer, and its look. One that waits is not known to be the customer's yet. */
export type DemoDomain = {
  domain: string
  title: string
  purpose?: 'office' | 'public'
  brand?: string
  footer?: string
  /** A word to draw a logo of. */
  logo?: string
  isWaiting?: boolean
}

export type DemoCustomer = {
  name: string
  isPlatform: boolean
  organizations: readonly {
    name: string
    timeZone: string
    lots: readonly DemoLot[]
    profile?: DemoProfile
    facilities?: readonly DemoFacility[]
    inventories?: readonly DemoInventory[]
  }[]
  userTypes?: readonly DemoUserType[]
  /** The first is whom the customer was handed to. */
  people: readonly DemoPerson[]
  /** How its mails could leave; none of them is the default. */
  emailHandlers?: readonly DemoHandler[]
  /** Mails in its own words; what is not named stays the product's. */
  emailTemplates?: readonly { key: TemplateKey; subject: string }[]
  /** How feeds become its vehicles, by the preset each began with. */
  providerMappings?: readonly DemoMapping[]
  /** Who takes its vehicles. */
  channels?: readonly DemoChannel[]
  /** What brings its vehicles. */
  feeds?: readonly DemoFeed[]
  /** Its own words for values of feeds. */
  values?: DemoValues
  /** Own emission factors, for all of its organizations. */
  factors?: readonly FactorInput[]
  domains?: readonly DemoDomain[]
  details?: Omit<z.input<typeof CustomerDetailsChange>, 'version'>
  suspended?: string
}
