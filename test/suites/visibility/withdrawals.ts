import { customers } from '#contract/customers/customers/customers.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { PARTICIPANTS, SURFACES } from './surfaces.ts'
import { HOST, type Word, WORDS, type World } from './world.ts'

/** Something that is public and then isn't. */
export type Withdrawal = Readonly<{
  name: string
  /** The calls that do it. */
  by: readonly string[]
  act: (world: World) => Promise<unknown>
  /** Makes it public again. */
  undo: (world: World) => Promise<unknown>
  /** Words that no surface may show afterwards. */
  words: readonly Word[]
  /** Surfaces that may still show one, with the reason. */
  except?: Readonly<Record<string, string>>
  /** Surfaces that refuse everything afterwards. */
  closes?: readonly string[]
}>

type Status = (typeof VEHICLE_STATUSES)[number]
const setStatus = (status: Status) => (world: World) =>
  world.place.call(vehicles.update, { id: world.vehicle.id, status })
const sell: Pick<Withdrawal, 'except'> = {
  except: {
    'vehicle page': 'the former page says that the vehicle is sold (decision 131)',
    form: 'a buyer who has the page open still asks about the vehicle',
    'form on other sites': 'a buyer who has the page open still asks about the vehicle',
  },
}

/** By status, except the one that publishes. */
const STATUSES: readonly Withdrawal[] = (
  [
    ['incoming', {}],
    ['preparing', {}],
    ['hold', {}],
    ['pending', sell],
    ['sold', sell],
    ['archived', sell],
    ['wholesale', sell],
    ['removed', sell],
  ] as const
).map(([status, more]) => ({
  name: `a vehicle that is ${status}`,
  by: ['vehicles.update', 'vehicles.change', 'vehicles.updateCells'],
  act: setStatus(status),
  undo: setStatus('live'),
  words: ['vehicle'],
  ...more,
}))

const domainOf = async ({ forecourt }: World): Promise<string> => {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    'select id from white_labels where domain = $1',
    [HOST],
  )
  return rows[0]?.id ?? ''
}
const setCustomer = (status: 'active' | 'suspended' | 'closed') => async (world: World) =>
  world.operator.call(customers.setStatus, {
    id: world.place.customerId,
    status,
    ...(status !== 'active' && { reason: 'Invoice open' }),
  })
/** The same for everyone, or of the installation. */
const OF_NO_CUSTOMER = new Set(['scripts and styles, the same for every site', 'branding'])
const EVERYTHING = ['vehicle', 'lot', 'form', 'site', 'assessment'] as const
/** Nothing about a customer is left. What answers is not about it. */
const closesAll: Pick<Withdrawal, 'words' | 'closes'> = {
  words: EVERYTHING,
  closes: SURFACES.map(({ name }) => name).filter((name) => !OF_NO_CUSTOMER.has(name)),
}

/** By an administrator who works in another organization of the customer. */
const setArchived = (call: 'archive' | 'restore') => async (world: World) => {
  const elsewhere = await world.forecourt.as('northgate.admin', 'Northgate Toyota')
  return elsewhere.call(organizations[call], { id: world.place.organizationId })
}

export const WITHDRAWALS: readonly Withdrawal[] = [
  {
    name: 'an archived organization',
    by: ['organizations.archive'],
    act: setArchived('archive'),
    undo: setArchived('restore'),
    words: ['vehicle', 'lot', 'assessment'],
    closes: [
      'short URLs',
      'photos',
      'inbound leads',
      'inbound feeds',
      'invitation link',
      ...PARTICIPANTS.map(({ name }) => name),
    ],
  },
  {
    name: 'a suspended customer',
    by: ['customers.setStatus'],
    act: setCustomer('suspended'),
    undo: setCustomer('active'),
    ...closesAll,
  },
  {
    name: 'a closed customer',
    by: ['customers.setStatus'],
    act: setCustomer('closed'),
    undo: setCustomer('active'),
    ...closesAll,
  },
  {
    name: 'a hidden lot',
    by: ['lots.update', 'lots.change'],
    act: ({ place, lotId }) => place.call(lots.update, { id: lotId, isPublic: false }),
    undo: ({ place, lotId }) => place.call(lots.update, { id: lotId, isPublic: true }),
    words: ['vehicle', 'lot'],
    closes: ['photos'],
  },
  {
    name: 'a hidden lot with a sold vehicle',
    by: ['lots.update', 'lots.change'],
    act: async (world) => {
      await setStatus('sold')(world)
      await world.place.call(lots.update, { id: world.lotId, isPublic: false })
    },
    undo: async (world) => {
      await world.place.call(lots.update, { id: world.lotId, isPublic: true })
      await setStatus('live')(world)
    },
    words: ['vehicle', 'lot'],
    closes: ['photos'],
  },
  ...STATUSES,
  {
    name: 'a vehicle without a price',
    by: ['vehicles.update'],
    act: ({ place, vehicle }) => place.call(vehicles.update, { id: vehicle.id, priceCents: null }),
    undo: ({ place, vehicle }) =>
      place.call(vehicles.update, { id: vehicle.id, priceCents: 1_899_500, confirmPrices: true }),
    words: ['vehicle'],
  },
  {
    name: 'a vehicle whose photos were removed',
    by: ['vehicles.update'],
    act: ({ place, vehicle }) => place.call(vehicles.update, { id: vehicle.id, photos: [] }),
    undo: ({ place, vehicle, photos }) => place.call(vehicles.update, { id: vehicle.id, photos }),
    words: ['vehicle'],
    closes: ['photos'],
  },
  {
    name: 'a closed form',
    by: ['forms.close'],
    act: ({ place, form }) => place.call(forms.close, { id: form.id }),
    undo: async ({ place, form }) => {
      const { version } = await place.call(forms.get, { id: form.id })
      await place.call(forms.publish, { id: form.id, version })
    },
    words: ['form'],
    except: {
      form: 'the page says that the form is closed, with its name',
      'sending a form': 'as the page',
      'form on other sites': 'as the page',
      'thank-you page': 'for those who sent it a moment before',
    },
  },
  {
    name: 'a form that other sites may not show anymore',
    by: ['forms.update'],
    act: ({ place, form }) => place.call(forms.update, { id: form.id, embedOrigins: [] }),
    undo: ({ place, form }) =>
      place.call(forms.update, { id: form.id, embedOrigins: ['https://dealer.example'] }),
    words: [],
    closes: ['form on other sites'],
  },
  {
    name: 'a domain that became a back office',
    by: ['whiteLabels.save'],
    act: async (world) =>
      world.place.call(whiteLabels.save, { id: await domainOf(world), purpose: 'office' }),
    undo: async (world) =>
      world.place.call(whiteLabels.save, { id: await domainOf(world), purpose: 'public' }),
    words: ['form'],
    closes: [
      'list of vehicles',
      'vehicle page',
      'site map',
      'form',
      'sending a form',
      'form on other sites',
      'short URLs',
    ],
  },
  {
    name: 'a removed domain',
    by: ['whiteLabels.remove'],
    act: async (world) => world.place.call(whiteLabels.remove, { id: await domainOf(world) }),
    undo: ({ place }) => place.call(whiteLabels.save, { domain: HOST, title: WORDS.site, purpose: 'public' }),
    words: ['form'],
    closes: [
      'list of vehicles',
      'vehicle page',
      'site map',
      'form',
      'sending a form',
      'form on other sites',
      'short URLs',
    ],
  },
  {
    name: 'a deleted short URL',
    by: ['shortUrls.remove', 'shortUrls.removeMany'],
    act: async ({ forecourt, place }) => {
      const { results } = await place.call(shortUrls.list, { search: 'vis-' })
      const selection = { ids: (results ?? []).map(({ id }) => id) }
      await place.call(shortUrls.removeMany, { selection })
      await forecourt.jobs.runDue()
    },
    undo: async ({ forecourt, place }) => {
      const { results } = await place.call(jobs.list, { search: 'Delete 2 short URLs', sort: '-createdAt' })
      await place.call(jobs.undo, { id: results?.[0]?.id ?? '' })
      await forecourt.jobs.runDue()
    },
    words: [],
    closes: ['short URLs'],
  },
  {
    name: 'a promo page that was taken from the site',
    by: ['promoPages.unpublish'],
    act: ({ place, page }) => place.call(promoPages.unpublish, { id: page.id }),
    undo: ({ place, page }) => publishPage(place, page),
    words: ['page'],
    closes: ['promo page'],
  },
  {
    name: 'a promo page whose last day is over',
    // What is discarded, visitors never saw.
    by: ['promoPages.update', 'promoPages.publish', 'promoPages.discardDraft'],
    act: async ({ place, page }) => {
      await place.call(promoPages.update, { id: page.id, endsOn: '2020-01-01' })
      await publishPage(place, page)
    },
    undo: async ({ place, page }) => {
      await place.call(promoPages.update, { id: page.id, endsOn: null })
      await publishPage(place, page)
    },
    words: ['page'],
    closes: ['promo page'],
  },
  {
    name: 'a deleted promo page',
    by: ['promoPages.remove', 'promoPages.removeMany'],
    act: async ({ forecourt, place, page }) => {
      await place.call(promoPages.removeMany, { selection: { ids: [page.id] } })
      await forecourt.jobs.runDue()
    },
    undo: async ({ forecourt, place }) => {
      const { results } = await place.call(jobs.list, { search: 'Delete 1 promo page', sort: '-createdAt' })
      await place.call(jobs.undo, { id: results?.[0]?.id ?? '' })
      await forecourt.jobs.runDue()
    },
    words: ['page'],
    closes: ['promo page'],
  },
  {
    name: 'a deleted vehicle',
    by: ['vehicles.remove', 'vehicles.removeMany'],
    act: ({ place, vehicle }) => place.call(vehicles.remove, { id: vehicle.id }),
    undo: ({ place, vehicle }) => place.call(vehicles.restore, { id: vehicle.id }),
    words: ['vehicle'],
    closes: ['photos'],
  },
]

async function publishPage(place: World['place'], { id }: World['page']): Promise<unknown> {
  const { version } = await place.call(promoPages.get, { id })
  return place.call(promoPages.publish, { id, version })
}
