import type { CustomerDetailsChange } from '#contract/customers/details/details.ts'
import type { NewLot } from '#contract/customers/lots/lots.ts'
import type { NewFacility } from '#contract/organizations/facilities/facilities.ts'
import type { NewOrganization } from '#contract/organizations/profile/profiles.ts'
import type { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import type { TemplateKey } from '#contract/mail/templates/templates.ts'
import type { FunctionName, OprNumber } from '#contract/permissions.ts'
import type { DemoChannel } from './demo-channels.ts'
import type { DemoPage } from './demo-pages.ts'
import type { DemoRule } from './demo-rules.ts'
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
  /** `invited`: no password yet; `off`: may not sign in. */
  state?: 'invited' | 'off'
  /** Permissions that differ from the user type. */
  allowed?: readonly Cell[]
  denied?: readonly Cell[]
  /** The secret and backup codes of an authenticator. */
  authenticator?: { secret: string; backupCodes: readonly string[] }
  /** Listed in the accounts printed at startup. */
  isAnnounced?: boolean
}

/** A custom user type: the permissions of another type, with additions and removals. */
export type DemoUserType = {
  name: string
  under: string
  like: string
  more?: readonly Cell[]
  less?: readonly FunctionName[]
  /** Requires a second factor; no other demo user type does. */
  requiresSecondFactor?: true
}

/** A lot with its number of vehicles. */
export type DemoLot = NewLot & { vehicles?: number }

/** The profile of an organization. */
export type DemoProfile = Omit<z.input<typeof NewOrganization>, 'name' | 'logo' | 'timeZone'>

/** A facility with the codes of its parent and lot. Parents come first. */
export type DemoFacility = Omit<NewFacility, 'organizationId' | 'parentId' | 'lotId'> & {
  within?: string
  lot?: string
}

export type DemoHandler = { name: string; kind: 'outbox'; fromName: string; fromEmail: string }

/** A domain with its branding. `isWaiting`: not verified yet. */
export type DemoDomain = {
  domain: string
  title: string
  purpose?: 'office' | 'public'
  brand?: string
  footer?: string
  /** The text of the logo. */
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
  /** The first one is the administrator. */
  /** Whether it has questionnaires and assessments. Needs the facilities and people of Northgate. */
  hasAssessments?: true
  people: readonly DemoPerson[]
  /** Email handlers; none of them is the default. */
  emailHandlers?: readonly DemoHandler[]
  /** Customized email templates; the others keep the defaults. */
  emailTemplates?: readonly { key: TemplateKey; subject: string }[]
  /** Provider mappings with their presets. */
  providerMappings?: readonly DemoMapping[]
  /** Channels for its listings. */
  channels?: readonly DemoChannel[]
  /** Price rules. */
  pricingRules?: readonly DemoRule[]
  /** What visitors of its public site sent; with it, the customer has the demo forms. */
  submissions?: number
  /** The minutes after which a form that was left becomes a lead. One has. */
  unfinishedMinutes?: number
  /** How many short URLs there are. They need forms. */
  shortUrls?: number
  /** Its promo pages and their layout. They need forms and vehicles. */
  promoPages?: readonly DemoPage[]
  /** Whether it has campaigns. They need promo pages. */
  hasCampaigns?: true
  /** Inventory feeds. */
  feeds?: readonly DemoFeed[]
  /** Data mappings. */
  values?: DemoValues
  /** Custom emission factors for all of its organizations. */
  factors?: readonly FactorInput[]
  domains?: readonly DemoDomain[]
  details?: Omit<z.input<typeof CustomerDetailsChange>, 'version'>
  suspended?: string
}
