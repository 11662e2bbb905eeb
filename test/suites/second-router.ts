/**
 * A second router, written apart from the product's: it decides from the document that was sent and a table of stores and rules
 * where a lead belongs and who gets it. It shares no code with `findStore` and `chooseLeadDestinations`.
 */
export type TableStore = Readonly<{
  lotId: string
  name: string
  organization: string
  aliases: readonly string[]
  codes: readonly string[]
  feedIds: readonly string[]
  makes: readonly string[]
  zips: readonly string[]
  vins: readonly string[]
}>

export type SentLead = Readonly<{
  vendor: string | null
  vendorId: string | null
  vin: string | null
  make: string | null
  zip: string | null
}>

/** In the order of the list; the first that matches decides. */
export type TableRule = Readonly<{
  id: string
  lotIds: readonly string[]
  makes: readonly string[]
  toStore: string | null
  /** The destinations, in turn. */
  turns: readonly string[]
}>

const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null)
const letters = (text: string) =>
  Array.from(text.toLowerCase())
    .filter((one) => /[a-z0-9]/.test(one))
    .join('')
const number = (code: string) => {
  let from = 0
  const plain = letters(code)
  while (from < plain.length - 1 && plain[from] === '0') from += 1
  return plain.slice(from)
}

/** The lot to which a lead belongs; null if nothing says so. */
export function secondStore(lead: SentLead, stores: readonly TableStore[]): string | null {
  const { vendor, vendorId, vin, make, zip } = lead
  const steps: (() => TableStore | null)[] = [
    () =>
      only(
        stores.filter(
          ({ name, aliases }) => vendor !== null && [name, ...aliases].map(letters).includes(letters(vendor)),
        ),
      ),
    () =>
      only(stores.filter(({ codes }) => vendorId !== null && codes.map(number).includes(number(vendorId)))),
    () =>
      only(
        stores.filter(({ feedIds }) => vendorId !== null && feedIds.map(number).includes(number(vendorId))),
      ),
    () => only(stores.filter(({ vins }) => vin !== null && vins.includes(vin))),
    () => only(stores.filter(({ makes }) => make !== null && makes.map(letters).includes(letters(make)))),
    () =>
      only(
        stores.filter(({ zips }) => zip !== null && zips.some((one) => zip.startsWith(one.replace('*', '')))),
      ),
  ]
  for (const step of steps) {
    const found = step()
    if (found !== null) return found.lotId
  }
  return null
}

/** Routes leads one after another, and remembers whose turn it is. */
export function makeSecondRouter(stores: readonly TableStore[], rules: readonly TableRule[]) {
  const turns = new Map<string, number>()
  return (lead: SentLead): { lotId: string | null; destination: string | null } => {
    let lotId = secondStore(lead, stores)
    let isMoved = false
    // A vehicle in the stock of the lead's organization has the make of its stock record.
    const [here, there] = [
      stores.find((one) => one.lotId === lotId),
      stores.find(({ vins }) => vins.includes(lead.vin ?? '')),
    ]
    const make = there !== undefined && here?.organization === there.organization ? 'Ford' : lead.make
    for (const { id, lotIds, makes, toStore, turns: names } of rules) {
      if (lotIds.length > 0 && !lotIds.includes(lotId ?? '')) continue
      if (makes.length > 0 && !makes.includes(make ?? '')) continue
      if (toStore !== null) {
        if (!isMoved) lotId = toStore
        isMoved = true
        continue
      }
      const turn = turns.get(id) ?? 0
      turns.set(id, turn + 1)
      return { lotId, destination: names[turn % names.length] ?? null }
    }
    return { lotId, destination: null }
  }
}

export type TableMember = Readonly<{
  userId: string
  weight: number
  openCap: number | null
  dailyCap: number | null
}>

/**
 * A second count of whose turn it is in a team, written apart from the product's. Each member has a calendar: a lead keeps them busy for
 * 1/weight of a day, and the next lead is for who is free first. Who couldn't take leads has not been free meanwhile.
 */
export function makeSecondTeam(members: readonly TableMember[]) {
  const freeAt = members.map(() => 0)
  const lastTurn = members.map(() => 0)
  const today = members.map(() => 0)
  let [now, turn] = [0, 0]
  /** `open`: the open leads of each member. Returns who gets the lead; null if it goes on. */
  return (open: readonly number[]): string | null => {
    turn += 1
    let best = -1
    for (const [at, { openCap, dailyCap }] of members.entries()) {
      const hasRoom =
        (openCap === null || (open[at] ?? 0) < openCap) && (dailyCap === null || (today[at] ?? 0) < dailyCap)
      if (!hasRoom) continue
      const difference = best === -1 ? -1 : (freeAt[at] ?? 0) - (freeAt[best] ?? 0)
      const isEqual = Math.abs(difference) < 1e-9
      if ((!isEqual && difference < 0) || (isEqual && (lastTurn[at] ?? 0) < (lastTurn[best] ?? 0))) best = at
    }
    const next = members[best]
    if (next === undefined) return null
    now = Math.max(now, freeAt[best] ?? 0)
    freeAt[best] = now + 1 / next.weight
    lastTurn[best] = turn
    today[best] = (today[best] ?? 0) + 1
    return next.userId
  }
}
