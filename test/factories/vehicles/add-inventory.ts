import { channels } from '#contract/channels/channels/channels.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { canonicalRecord, type PriceRecord } from '#contract/pricing/advertised/price-record.ts'
import type { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import type { UserFactories } from '#test/factories/identity/add-users.ts'
import type { Place } from '#test/factories/place.ts'
import { signInLater, type Person } from '#test/factories/sign-in-later.ts'

export type InventoryFactories = {
  addLot: (name?: string, code?: string) => Promise<string>
  /** A vehicle on a new lot, or on the given one. Its fields are not locked. */
  addVehicle: (more?: Partial<NewVehicle>) => Promise<string>
  removeVehicle: (id: string) => Promise<void>
  addSpecialPrice: (vehicleId: string) => Promise<void>
  /** A provider mapping without fields. */
  addMapping: (name?: string) => Promise<string>
  /** A feed source of this organization with a lot, for uploads. */
  addFeedSource: () => Promise<string>
  /** A feed run with one new vehicle, by default ready to be applied. `waiting`: for the second of two files. */
  addFeedRun: (status?: 'ready' | 'applied' | 'waiting') => Promise<string>
  /** A channel whose file partners download. */
  addChannel: () => Promise<string>
  /** A price rule with a dealer discount on a new lot. */
  addPricingRule: () => Promise<string>
  /** A request to change the amount of a new price rule, by a user who is gone. */
  addRuleRequest: () => Promise<string>
  /** A price that a deleted channel advertised for a deleted vehicle. */
  addAdvertisedPrice: () => Promise<string>
  /** A data mapping from a body value to SUV. */
  addValueMapping: (raw?: string) => Promise<string>
  /** An unmapped body value with the suggestion SUV. */
  addUnmapped: (raw?: string) => Promise<string>
  /** A dealer ID that is not linked to a lot. */
  addUnmatched: (dealerId?: string) => Promise<string>
}

export function inventoryFactories(place: Place, { addMember }: UserFactories): InventoryFactories {
  const { forecourt, customerId, organizationId, call, insert } = place
  // Feeds of a user with access to the whole customer are out of reach of the organization's users.
  const dealer = signInLater(forecourt, async () => {
    dealerName ??= addDealer(addMember)
    return forecourt.as(await dealerName)
  })
  let dealerName: Promise<string> | null = null
  const addLot = async (name = fresh('Lot'), code = freshCode('P')) =>
    (await call(lots.add, { code, name })).id
  return {
    addLot,
    async addVehicle(more = {}) {
      const { id } = await call(vehicles.add, {
        make: 'Ford',
        model: 'Focus',
        stock: fresh('Stock'),
        locksEdits: false,
        ...more,
        lotId: more.lotId ?? (await addLot()),
      })
      return id
    },
    addSpecialPrice: async (id) =>
      void (await call(vehiclePrices.setSpecial, { id, cents: 1_900_000, reason: fresh('Scratch') })),
    removeVehicle: async (id) => void (await call(vehicles.remove, { id })),
    addMapping: async (name = fresh('Mapping')) =>
      (await call(providerMappings.add, { name, mapping: { fields: {} } })).id,
    addFeedSource: async () =>
      (await dealer.call(feedSources.add, { name: fresh('Source'), lotIds: [await addLot()] })).id,
    addFeedRun: async (status = 'ready') => addFeedRun(place, dealer, { lotId: await addLot(), status }),
    addChannel: async () =>
      (await call(channels.add, { name: fresh('Channel'), kind: 'csv', destination: 'pull', secret: null }))
        .id,
    addPricingRule: async () =>
      (
        await call(pricingRules.add, {
          name: fresh('Rule'),
          kind: 'discount',
          cents: 50_000,
          lotIds: [await addLot()],
        })
      ).id,
    addRuleRequest: async () => {
      const { id } = await call(pricingRules.add, {
        name: fresh('Rule'),
        kind: 'discount',
        cents: 50_000,
        lotIds: [await addLot()],
      })
      return insert(
        `insert into pricing_rule_requests (customer_id, kind, rule_id, title, input, changed, requested_by, requester_id,
          effective_requester_id) values ($1, 'update', $2, 'A rule', $3, 1, 'A former user', 0, 0) returning id`,
        [customerId, id, { kind: 'update', changes: { id, version: 1, cents: 60_000 } }],
      )
    },
    // Channels record it when they deliver a file (advertised-prices.test.ts), which takes a run.
    addAdvertisedPrice: () =>
      insert(
        `insert into advertised_prices (customer_id, organization_id, vehicle_id, title, channel_id, channel_name, price_meaning,
          price_cents, selling_cents, total_cents, currency, law, fees, record, record_sha256)
        values ($1, $2, (select coalesce(max(vehicle_id), 0) + 1 from advertised_prices), '2021 Ford Focus', 1, 'Google listings', 'total', 2008500, 2000000, 2008500, 'USD', 'us', '[]',
          $3, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
        returning id`,
        [customerId, organizationId, canonicalRecord(ADVERTISED)],
      ),
    addValueMapping: async (raw = fresh('Value')) =>
      (await call(valueMappings.add, { field: 'body', raw, canonical: 'SUV' })).id,
    // A suggestion this certain takes a feed with dozens of real VINs. mapped-imports.test.ts reads feeds with unmapped values.
    addUnmapped: (raw = fresh('Value')) =>
      insert(
        `insert into unmapped_values (customer_id, field, raw, raw_key, rows, suggestion, certainty, reason)
        values ($1, 'body', $2, lower($2), 3, 'SUV', 97, 'The VINs say SUV.') returning id`,
        [customerId, raw],
      ),
    // Found while a feed is read. dealer-ids.test.ts reads one; the other tests need only the ID.
    addUnmatched: (dealerId = fresh('Dealer')) =>
      insert(
        `insert into unmatched_dealer_ids (customer_id, dealer_id, dealer_key, source, rows)
        values ($1, $2, lower($2), 'A feed', 3) returning id`,
        [customerId, dealerId],
      ),
  }
}

/** What a file said. */
const ADVERTISED: PriceRecord = {
  format: 1,
  title: '2021 Ford Focus',
  vin: null,
  stock: null,
  page: null,
  file: 'vehicles.csv',
  priceCents: 2_008_500,
  priceMeaning: 'total',
  sellingCents: 2_000_000,
  totalCents: 2_008_500,
  currency: 'USD',
  law: 'us',
  sentence: null,
  fees: [],
  offers: [],
  disclaimers: [],
}

/** A user of this organization only, who may add feeds. */
async function addDealer(addMember: UserFactories['addMember']): Promise<string> {
  const userName = freshCode('feed.manager.')
  await addMember({ userName, userType: 'Dealer user' })
  return userName
}

async function addFeedRun(
  { forecourt, call }: Place,
  dealer: Person,
  { lotId, status }: { lotId: string; status: 'ready' | 'applied' | 'waiting' },
): Promise<string> {
  const columnOf = (column: string) => ({ source: { kind: 'column' as const, column } })
  const fields = { stock: columnOf('Stock'), make: columnOf('Make') }
  const second = { column: 'Stock', secondColumn: 'Stock' }
  const { id: mappingId } = await call(providerMappings.add, {
    name: fresh('Mapping'),
    mapping: { fields, ...(status === 'waiting' && { second }) },
  })
  const data = await dealer.upload(
    feedRuns.add.path,
    { lotId, mappingId },
    { name: `${fresh('feed')}.csv`, bytes: `Stock,Make,Model\n${freshCode('S')},Ford,Focus\n` },
  )
  const { id } = FeedRun.parse(data)
  await forecourt.jobs.runDue()
  if (status === 'applied') {
    await dealer.call(feedRuns.apply, { id, confirm: true })
    await forecourt.jobs.runDue()
  }
  return id
}
