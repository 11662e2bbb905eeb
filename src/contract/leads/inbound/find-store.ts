import { coversPostalCode } from '../routing/match-rule.ts'
import {
  type StoreClue,
  storeClueLabel,
  type StoreEvidence,
  type StoreFinding,
} from '../routing/store-evidence.ts'

/** A store (lot) of a group, with what leads call it. */
export type Store = Readonly<{
  id: string
  name: string
  organizationId: string
  /** Besides its name. */
  vendorNames: readonly string[]
  dealerCodes: readonly string[]
  /** Its IDs at feed providers. */
  dealerIds: readonly string[]
  makes: readonly string[]
  /** Codes, or beginnings with an asterisk. */
  postalCodes: readonly string[]
  /** A service department sells no vehicles. */
  isService: boolean
}>

/** What a lead says about its store. A VIN and a stock number come with the stores where such a vehicle is in stock. */
export type StoreClues = Readonly<{
  vendorName: string | null
  vendorIds: readonly string[]
  vin: InStock | null
  stock: InStock | null
  /** Of the email. */
  subject?: string | null
  make: string | null
  postalCode: string | null
}>
type InStock = Readonly<{ value: string; storeIds: readonly string[] }>

/** Letters and digits: "Northgate Ford, Inc." is "northgatefordinc". */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A vendor without what says only that it is a company. */
const vendorWords = (name: string): string =>
  plain(
    name.replace(
      /[\s,]+(?:inc|incorporated|llc|l\.l\.c|corp|corporation|co|company|ltd|limited|lp|llp)\.?\s*$/i,
      '',
    ),
  )

/** Dealer codes are sent with and without leading zeros. */
const plainCode = (code: string): string => plain(code).replace(/^0+(?=.)/, '')

const hasCode = (codes: readonly string[], sent: string): boolean =>
  codes.some((code) => plainCode(code) === plainCode(sent))

/**
 * The store of a lead that came to the address of a group, by the first clue that names exactly one store: vendor name, dealer
 * code, dealer ID of a feed provider, VIN, stock number, a make that only one store sells, ZIP code. Later clues that name another
 * store are kept as contradictions.
 */
export function findStore(clues: StoreClues, stores: readonly Store[]): StoreEvidence {
  const { vendorName, vendorIds, vin, stock, subject = null, make, postalCode } = clues
  const selling = stores.filter(({ isService }) => !isService)
  const by = (
    clue: StoreClue,
    value: string | null,
    isAt: (store: Store, value: string) => boolean,
    among = stores,
  ) => {
    if (value === null || plain(value) === '') return []
    const found = among.filter((store) => isAt(store, value))
    const [store] = found
    return store === undefined || found.length > 1
      ? []
      : [{ clue, value, lotId: store.id, lotName: store.name }]
  }
  const inStock = (clue: StoreClue, of: InStock | null) =>
    by(clue, of?.value ?? null, ({ id }) => of?.storeIds.includes(id) === true)
  const findings: StoreFinding[] = [
    ...by('vendor', vendorName, ({ name, vendorNames }, sent) =>
      [name, ...vendorNames].some((one) => vendorWords(one) === vendorWords(sent)),
    ),
    ...vendorIds.flatMap((id) =>
      by('dealer-code', id, ({ dealerCodes }, sent) => hasCode(dealerCodes, sent)),
    ),
    ...vendorIds.flatMap((id) => by('dealer-id', id, ({ dealerIds }, sent) => hasCode(dealerIds, sent))),
    ...inStock('vin', vin),
    ...inStock('stock', stock),
    ...namedIn(subject, selling),
    ...by('make', make, ({ makes }, sent) => makes.some((one) => plain(one) === plain(sent)), selling),
    ...by(
      'postal-code',
      postalCode,
      ({ postalCodes }, sent) => postalCodes.some((one) => coversPostalCode(one, sent.slice(0, 10))),
      selling,
    ),
  ]
  const [first = null, ...rest] = findings
  return {
    found: first,
    // A make or ZIP code says where buyers usually go, not that this one belongs elsewhere.
    contradicting: rest.filter(
      ({ clue, lotId }) => lotId !== first?.lotId && clue !== 'make' && clue !== 'postal-code',
    ),
    vendorName,
    vendorIds: [...vendorIds],
  }
}

/** The store whose name is in a subject, as whole words. The longest name counts: "Northgate Ford of Folsom" is not "Northgate Ford". */
function namedIn(subject: string | null, stores: readonly Store[]): StoreFinding[] {
  const words = ` ${spaced(subject ?? '')} `
  const found = stores.flatMap(({ id, name, vendorNames }) =>
    [name, ...vendorNames]
      .filter((one) => spaced(one).length > 3 && words.includes(` ${spaced(one)} `))
      .map((value) => ({ clue: 'subject' as const, value, lotId: id, lotName: name })),
  )
  const most = Math.max(0, ...found.map(({ value }) => spaced(value).length))
  const longest = found.filter(({ value }) => spaced(value).length === most)
  const [first] = longest
  return first !== undefined && longest.every(({ lotId }) => lotId === first.lotId) ? [first] : []
}

const spaced = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** "By dealer code 01234. The VIN 1FM5K8D80MGA00001 is at Northgate Ford." */
export function evidenceText({ found, contradicting, vendorName, vendorIds }: StoreEvidence): string {
  const others = contradicting.map((one) => sentence(contradictionText(one)))
  if (found !== null)
    return [sentence(`By ${storeClueLabel(found.clue)} ${found.value}`), ...others].join(' ')
  const named = [
    ...(vendorName === null ? [] : [`vendor name ${vendorName}`]),
    ...vendorIds.map((id) => `dealer code ${id}`),
  ]
  if (named.length === 0) return 'Nothing in it says which store it is for. Choose the store.'
  return `${sentence(`No store has the ${named.join(' or ')}`)} Choose the store.`
}

/** "Northgate Ford, Inc." ends a sentence by itself. */
const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

function contradictionText({ clue, value, lotName }: StoreFinding): string {
  return clue === 'vin' || clue === 'stock'
    ? `The vehicle with the ${storeClueLabel(clue)} ${value} is at ${lotName}`
    : `The ${storeClueLabel(clue)} ${value} is that of ${lotName}`
}
