import { questionnaires } from './questionnaires/questionnaires/questionnaires.ts'
import { assessments } from './assessments/assessments/assessments.ts'
import { auditLog } from './administration/audit-log.ts'
import { factors } from './carbon/factors/factors.ts'
import { carbonInventories } from './carbon/inventories/inventories.ts'
import { customers } from './customers/customers/customers.ts'
import { customerDetails } from './customers/details/details.ts'
import { lots } from './customers/lots/lots.ts'
import { leads } from './leads/inbox/leads.ts'
import { leadRoutingRules } from './leads/routing/lead-routing-rules.ts'
import { files } from './files/files.ts'
import { dashboard } from './home/dashboard.ts'
import { health } from './home/health.ts'
import type { MenuItem } from './identity/auth.ts'
import { userTypes } from './identity/user-types/user-types.ts'
import { users } from './identity/users/users.ts'
import { whiteLabels } from './identity/branding/white-labels.ts'
import { channels } from './channels/channels/channels.ts'
import { pricingRules } from './pricing/rules/pricing-rules.ts'
import { advertisedPrices } from './pricing/advertised/advertised-prices.ts'
import { forms } from './marketing/forms/forms.ts'
import { submissions } from './marketing/forms/submissions.ts'
import { dvpLayouts } from './marketing/layouts/layouts.ts'
import { campaigns } from './marketing/campaigns/campaigns.ts'
import { promoPages } from './marketing/pages/promo-pages.ts'
import { shortUrls } from './marketing/short-urls/short-urls.ts'
import { feedRuns } from './feeds/runs/feed-runs.ts'
import { providerMappings } from './feeds/mappings/provider-mappings.ts'
import { valueMappings } from './feeds/values/value-mappings.ts'
import { vehicles } from './vehicles/vehicles/vehicles.ts'
import { emailHandlers } from './mail/handlers/handlers.ts'
import { emailTemplates } from './mail/templates/templates.ts'
import { outbox } from './mail/outbox/outbox.ts'
import { organizations } from './organizations/organizations.ts'
import { holds, type Permission, type Permissions } from './permissions.ts'
import { reports } from './reports/reports.ts'

type Entry = { id: string; title: string; url: `/${string}`; icon: string; permission: Permission }
type Group = { id: string; title: string | null; entries: readonly Entry[] }

/** Every screen in menu order. An entry is shown to users who may open its list. Icons are Tabler names. */
const groups: readonly Group[] = [
  {
    id: 'home',
    title: null,
    entries: [
      {
        id: 'dashboard',
        title: 'Dashboard',
        url: '/dashboard',
        icon: 'layout-dashboard',
        permission: dashboard.get.allow,
      },
    ],
  },
  {
    id: 'platform',
    title: 'Platform',
    entries: [
      {
        id: 'all-customers',
        title: 'All customers',
        url: '/customers',
        icon: 'building-community',
        permission: customers.list.allow,
      },
      {
        id: 'find-people',
        title: 'Find users',
        url: '/customers/people',
        icon: 'user-search',
        permission: customers.findUsers.allow,
      },
    ],
  },
  {
    id: 'customers',
    title: 'Customers',
    entries: [
      {
        id: 'users',
        title: 'Users',
        url: '/administration/users',
        icon: 'users',
        permission: users.list.allow,
      },
      { id: 'lots', title: 'Lots', url: '/customers/lots', icon: 'map-pin', permission: lots.list.allow },
      {
        id: 'leads',
        title: 'Leads',
        url: '/customers/leads',
        icon: 'message-2',
        permission: leads.list.allow,
      },
      {
        id: 'lead-routing',
        title: 'Lead routing',
        url: '/customers/lead-routing',
        icon: 'route',
        permission: leadRoutingRules.list.allow,
      },
      {
        id: 'details',
        title: 'Details',
        url: '/customers/details',
        icon: 'building-store',
        permission: customerDetails.get.allow,
      },
    ],
  },
  {
    id: 'inventory',
    title: 'Inventory',
    entries: [
      {
        id: 'vehicle-data',
        title: 'Vehicle data',
        url: '/inventory/vehicle-data',
        icon: 'car',
        permission: vehicles.list.allow,
      },
      {
        id: 'pricing-rules',
        title: 'Pricing rules',
        url: '/inventory/pricing-rules',
        icon: 'tag',
        permission: pricingRules.list.allow,
      },
      {
        id: 'feeds',
        title: 'Feeds',
        url: '/inventory/feeds',
        icon: 'file-import',
        permission: feedRuns.list.allow,
      },
      {
        id: 'channels',
        title: 'Channels',
        url: '/inventory/channels',
        icon: 'broadcast',
        permission: channels.list.allow,
      },
      {
        id: 'advertised-prices',
        title: 'Advertised prices',
        url: '/inventory/advertised-prices',
        icon: 'receipt',
        permission: advertisedPrices.list.allow,
      },
    ],
  },
  {
    id: 'forms-and-campaigns',
    title: 'Forms and campaigns',
    entries: [
      {
        id: 'dvp-forms',
        title: 'DVP forms',
        url: '/dvp/forms',
        icon: 'forms',
        permission: forms.list.allow,
      },
      {
        id: 'dvp-campaigns',
        title: 'DVP campaigns',
        url: '/dvp/campaigns',
        icon: 'mail-fast',
        permission: campaigns.list.allow,
      },
      {
        id: 'submissions',
        title: 'Submissions',
        url: '/dvp/submissions',
        icon: 'inbox',
        permission: submissions.list.allow,
      },
    ],
  },
  {
    id: 'sustainability',
    title: 'Sustainability',
    entries: [
      {
        id: 'organizations',
        title: 'Organizations',
        url: '/organizations',
        icon: 'building',
        permission: organizations.list.allow,
      },
      {
        id: 'carbon',
        title: 'Carbon',
        url: '/carbon',
        icon: 'plant-2',
        permission: carbonInventories.list.allow,
      },
      {
        id: 'emission-factors',
        title: 'Emission factors',
        url: '/carbon/factors',
        icon: 'leaf',
        permission: factors.list.allow,
      },
      {
        id: 'assessments',
        title: 'Assessments',
        url: '/assessments',
        icon: 'clipboard-check',
        permission: assessments.list.allow,
      },
      {
        id: 'questionnaires',
        title: 'Questionnaires',
        url: '/configure-questionnaire',
        icon: 'list-details',
        permission: questionnaires.list.allow,
      },
    ],
  },
  {
    id: 'administration',
    title: 'Administration',
    entries: [
      {
        id: 'user-types',
        title: 'User types',
        url: '/administration/user-types',
        icon: 'sitemap',
        permission: userTypes.list.allow,
      },
      {
        id: 'provider-mappings',
        title: 'Provider mappings',
        url: '/administration/provider-mappings',
        icon: 'arrows-split',
        permission: providerMappings.list.allow,
      },
      {
        id: 'data-mappings',
        title: 'Data mappings',
        url: '/administration/data-mappings',
        icon: 'replace',
        permission: valueMappings.list.allow,
      },
      {
        id: 'media',
        title: 'Media',
        url: '/administration/media',
        icon: 'photo',
        permission: files.getChildren.allow,
      },
      {
        id: 'promo-pages',
        title: 'Promo pages',
        url: '/administration/promo-pages',
        icon: 'browser',
        permission: promoPages.list.allow,
      },
      {
        id: 'dvp-layouts',
        title: 'DVP layouts',
        url: '/administration/dvp-layouts',
        icon: 'layout-rows',
        permission: dvpLayouts.list.allow,
      },
      {
        id: 'short-urls',
        title: 'Short URLs',
        url: '/administration/short-url',
        icon: 'qrcode',
        permission: shortUrls.list.allow,
      },
      {
        id: 'email-templates',
        title: 'Email templates',
        url: '/administration/email-templates',
        icon: 'template',
        permission: emailTemplates.list.allow,
      },
      {
        id: 'email-handlers',
        title: 'Email handlers',
        url: '/administration/email-handlers',
        icon: 'send',
        permission: emailHandlers.list.allow,
      },
      {
        id: 'outbox',
        title: 'Outbox',
        url: '/administration/outbox',
        icon: 'mail',
        permission: outbox.list.allow,
      },
      {
        id: 'white-label',
        title: 'White label',
        url: '/administration/domain-white-label',
        icon: 'world',
        permission: whiteLabels.list.allow,
      },
      {
        id: 'reports',
        title: 'Reports',
        url: '/administration/reports',
        icon: 'report',
        permission: reports.list.allow,
      },
      {
        id: 'audit-log',
        title: 'Audit log',
        url: '/administration/audit-log',
        icon: 'history',
        permission: auditLog.list.allow,
      },
      {
        id: 'health',
        title: 'Health',
        url: '/administration/health',
        icon: 'heartbeat',
        permission: health.system.allow,
      },
    ],
  },
]

/** Badges by entry ID: a count, and how urgent it is. */
export type MenuBadges = Readonly<Record<string, { title: string; type: 'mute' | 'warn' | 'bad' }>>

/** The menu for these permissions. Empty groups are omitted. */
export function menuFor(held: Permissions, badges: MenuBadges = {}): MenuItem[] {
  return groups.flatMap(({ id, title, entries }) => {
    const items = entries
      .filter(({ permission }) => holds(held, permission))
      .map((entry) => menuItem(entry, badges[entry.id] ?? null))
    if (title === null || items.length === 0) return items
    return [{ ...blank, id, title, type: 'group' as const, children: items }]
  })
}

const blank = {
  url: null,
  icon: null,
  classes: null,
  hidden: false,
  external: false,
  target: null,
  badge: null,
  children: [],
}

function menuItem({ id, title, url, icon }: Entry, badge: MenuItem['badge']): MenuItem {
  return { ...blank, id, title, type: 'item', url, icon, badge }
}
