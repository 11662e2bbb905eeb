import { foreignLabel } from './foreign-labels.ts'
import { type KnownLabel, type LabelKind, type LabelSection, PERSON_KINDS } from './label-kinds.ts'

/** A label in lower case with single spaces: "First_Name:", "firstName" and "* First name" are the same. */
export function labelWords(label: string): string {
  return label
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('#', ' number ')
    .replaceAll(/\bno\.(?=\s|$)/g, 'number')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^(?:\d+ )/, '')
    .trim()
}

/** Whose it is. Left away only where something is left. */
const OWNERS =
  /^(?:(?:please )?(?:enter|provide) |what is |the |your |my |customers? |buyers? |shoppers? |consumers? |clients? |prospects? |applicants? |guests? |visitors? |leads? |user |contact |primary |main |best |sender )+(?=name|first|last|full|given|family|surname|e ?mail|phone|telephone|tel|cell|mobile|home|work|day|evening|zip|postal|city|state|address|street|comments?|messages?|questions?|notes?)/
const TRADE =
  /^(?:(?:your |my |the |customer )?(?:trade in|tradein|trade|appraisal)(?: (?:vehicle|car|auto))?|(?:current|my|your|owned) (?:vehicle|car|auto))(?: s)? (?=\S)/
const VEHICLE =
  /^(?:vehicle|car|auto|unit|desired|requested|interested|inventory|listing|new|used|selected)(?: (?:vehicle|car|auto))?(?: s)? (?=\S)/
const DEALER = /^(?:dealer(?:ship)?|store|location|vendor|rooftop) (?=\S)/

const CUSTOMER_LABELS: readonly (readonly [RegExp, LabelKind])[] = [
  [
    /^(?:full )?name(?: first last)?$|^(?:customer|buyer|shopper|consumer|client|applicant|guest|prospect|contact)$|^from name$/,
    'name',
  ],
  [/^(?:first|given|fore) ?name$|^first$|^name first$|^f name$|^fname$/, 'firstName'],
  [/^from$|^sender$|^sent by$|^submitted by$/, 'sender'],
  [/^middle (?:name|initial)$/, 'middleName'],
  [/^(?:last|family) ?name$|^surname$|^last$|^name last$|^l name$|^lname$/, 'lastName'],
  [/^company(?: name)?$|^business(?: name)?$/, 'company'],
  [/^e ?mail(?: address| id)?$|^email address e mail$/, 'email'],
  [/^fax(?: number)?$/, 'fax'],
  [
    /^(?:(?:mobile|cell|cellular|home|house|work|office|business|day|daytime|evening|night|other|alternate|secondary|second|2nd|text) )?(?:(?:tele)?phone|ph|tel|telephone|cell|mobile)(?: ?(?:number|no|num|nr))?(?: (?:mobile|cell|home|work|day|evening|1|2|3))?$|^(?:mobile|cell|cellular)(?: (?:number|phone))?$|^contact number$|^call back number$/,
    'phone',
  ],
  [/^(?:street|mailing|home|postal)? ?address(?: (?:line )?1)?$|^street(?: 1)?$/, 'street'],
  [/^(?:street )?address (?:line )?2$|^street 2$|^apt$|^apartment$|^suite$|^unit number$/, 'street2'],
  [/^city state(?: zip)?(?: code)?$/, 'cityLine'],
  [/^city$|^town$/, 'city'],
  [/^state$|^state province$|^province$|^region$/, 'region'],
  [/^(?:zip|postal|post)(?: code)?$|^zipcode$|^zip postal(?: code)?$|^postcode$/, 'postalCode'],
  [/^country$/, 'country'],
  [
    /^(?:preferred|best) (?:contact|contact method|method of contact|way to (?:contact|reach)(?: (?:you|me))?|method|communication)$|^contact (?:method|preference|by|via)$|^how (?:should|can|may) we (?:contact|reach) you$|^prefers$/,
    'contactMethod',
  ],
  [
    /^(?:preferred|best) (?:contact )?time(?: (?:to|for|of)(?: a)? (?:call|contact|reach|be contacted|be called|callback|day)(?: (?:you|me))?)?$|^(?:contact|call|callback) time$|^time to (?:call|contact)$|^when (?:should|can|may) we (?:call|contact|reach)(?: you)?$/,
    'contactTime',
  ],
  [
    /^(?:additional |other |special )?(?:comments?|questions?|notes?|messages?|remarks?|requests?|inquiry|enquiry|question comment)(?: (?:or|and|comments?|questions?|box|text|field|body))*$|^(?:what|how) can we help(?: you)?(?: with)?$|^details$|^tell us more$|^anything else$/,
    'comments',
  ],
  [
    /^(?:purchase |buying |purchasing )?(?:time ?frame|time ?line)(?: to (?:buy|purchase))?$|^when (?:are you (?:looking|planning) to|do you (?:want|plan) to) (?:buy|purchase)$|^(?:planned |expected )?purchase date$/,
    'timeframe',
  ],
  [
    /^(?:lead|request|inquiry|enquiry|form|contact) (?:type|kind|reason)$|^type of (?:request|inquiry|lead)$|^department$|^service$/,
    'service',
  ],
  [
    /^(?:lead|reference|request|inquiry|submission|confirmation)(?: (?:id|number|nr|ref))$|^ref(?:erence)?$/,
    'leadId',
  ],
  [
    /^(?:request|lead|submission|submitted|received|inquiry) (?:date|time|date time|on|at)$|^(?:date|time|date time) (?:submitted|received|requested)$|^submitted$/,
    'requestedAt',
  ],
]

const VEHICLE_LABELS: readonly (readonly [RegExp, LabelKind])[] = [
  [/^(?:model )?year$|^yr$/, 'year'],
  [/^make$|^manufacturer$|^brand$/, 'make'],
  [/^model(?: name)?$/, 'model'],
  [/^trim(?: level)?$|^series$/, 'trim'],
  [/^vin(?: (?:number|no|code))?$|^vehicle identification number$|^vin number vin$/, 'vin'],
  [/^stock(?: ?(?:number|no|id|nr|num))?$|^stk(?: (?:number|no))?$|^inventory (?:number|id)$/, 'stock'],
  [/^body(?: style| type)?$/, 'bodyStyle'],
  [/^transmission$/, 'transmission'],
  [/^(?:exterior |ext )?colou?r(?: exterior)?$/, 'color'],
  [/^(?:interior|int) colou?r$|^colou?r interior$/, 'interiorColor'],
  [/^(?:current )?(?:mileage|miles|odometer|kilometers|km)(?: reading)?$/, 'mileage'],
  [/^(?:asking |list(?:ed|ing)? |sale |selling |internet |advertised |our )?price$/, 'price'],
  [/^new (?:or )?used$|^(?:type|status|stock type|inventory type|new used(?: cpo)?)$/, 'status'],
  [/^condition$/, 'condition'],
  [/^(?:url|link|page|web ?page|listing|vdp)(?: url| link)?$/, 'vehicleUrl'],
]

const WHOLE_VEHICLE =
  /^(?:vehicles?|car|auto)(?: (?:of interest|interested in|requested|desired|name|description|info|details|selected|inquired about))?$|^(?:i am |i m )?interested in$|^(?:desired|requested|interested|selected|preferred|inquiry|new|used) (?:vehicle|car)$|^voi$|^vehicle year make model$|^year make model$/
const WHOLE_TRADE =
  /^(?:your |my )?(?:trade|trade in|tradein)(?: (?:vehicle|car|details|info|information|description|vehicle information))?$|^(?:vehicle|car) (?:to (?:be )?trade(?:d)?(?: in)?|trade in)$|^(?:do you have a|any|have a) trade(?: in)?(?: vehicle)?$|^what are you trading(?: in)?$|^(?:current|my|your) (?:vehicle|car)$/
/** Only after a word such as "vehicle" or within such a part: alone it is about something else. */
const ONLY_OF_VEHICLES: ReadonlySet<LabelKind> = new Set(['status', 'condition', 'vehicleUrl', 'price'])

/** What a label means; null if it isn't known. `section`: the part of the mail that it is in. */
export function knownLabel(label: string, section: LabelSection | null): KnownLabel | null {
  const words = labelWords(label)
  if (words === '' || words.length > 50) return null
  if (WHOLE_TRADE.test(words)) return { kind: 'tradeIn', section: 'trade' }
  const traded = TRADE.test(words) ? kindIn(VEHICLE_LABELS, words.replace(TRADE, '')) : null
  if (traded !== null) return { kind: traded, section: 'trade' }
  const isInPart = section === 'trade' || section === 'vehicle'
  if (WHOLE_VEHICLE.test(words)) {
    const isOwn = section === 'trade' && !/interest|desired|requested/.test(words)
    return isOwn ? { kind: 'tradeIn', section } : { kind: 'vehicle', section: isInPart ? 'vehicle' : null }
  }
  const isOfOther = section === 'dealer' || section === 'other'
  const ofPerson = kindIn(CUSTOMER_LABELS, words) ?? foreignLabel(words)
  if (isOfOther && ofPerson !== null && PERSON_KINDS.has(ofPerson)) return null
  const dealer = dealerLabel(words)
  if (dealer !== null) return { kind: dealer, section: 'dealer' }
  const owned = kindIn(CUSTOMER_LABELS, words) ?? kindIn(CUSTOMER_LABELS, words.replace(OWNERS, ''))
  if (owned !== null) return isOfOther && PERSON_KINDS.has(owned) ? null : { kind: owned, section: null }
  const named = VEHICLE.test(words) ? kindIn(VEHICLE_LABELS, words.replace(VEHICLE, '')) : null
  if (named !== null) return { kind: named, section: section === 'trade' ? 'trade' : 'vehicle' }
  const own = kindIn(VEHICLE_LABELS, words)
  if (own !== null)
    return ONLY_OF_VEHICLES.has(own) && !isInPart ? null : { kind: own, section: isInPart ? section : null }
  const foreign = foreignLabel(words)
  if (foreign === null) return null
  return {
    kind: foreign,
    section: OF_VEHICLES.has(foreign) && isInPart ? section : (SECTIONS[foreign] ?? null),
  }
}

const OF_VEHICLES: ReadonlySet<LabelKind> = new Set(VEHICLE_LABELS.map(([, kind]) => kind))
const SECTIONS: Partial<Record<LabelKind, LabelSection>> = { tradeIn: 'trade', dealer: 'dealer' }

function dealerLabel(words: string): LabelKind | null {
  if (/^(?:dealer(?:ship)?|store|vendor|location|rooftop)(?: name)?$/.test(words)) return 'dealer'
  return DEALER.test(words) && /^(?:id|code|number)$/.test(words.replace(DEALER, '')) ? 'dealerCode' : null
}

const kindIn = (labels: readonly (readonly [RegExp, LabelKind])[], words: string): LabelKind | null =>
  labels.find(([is]) => is.test(words))?.[1] ?? null

/** The part that a heading begins: "Trade-in information", "Customer details". */
export function sectionOf(heading: string): LabelSection | null {
  const words = labelWords(heading).replace(/ (?:information|info|details?|data|section|of interest)+$/, '')
  if (isOtherPerson(words)) return 'other'
  const kind = WHOLE_TRADE.test(words) ? 'tradeIn' : foreignLabel(words)
  if (kind === 'tradeIn') return 'trade'
  if (kind === 'vehicle' || /^(?:vehicle|car) (?:interested in|requested|desired)$/.test(words))
    return 'vehicle'
  if (
    /^(?:trade|trade in|tradein|trade in vehicle|trade vehicle|current vehicle|vehicle traded|appraisal)$/.test(
      words,
    )
  )
    return 'trade'
  if (
    /^(?:vehicle|vehicles|car|desired vehicle|requested vehicle|inventory|vehicle interest|unit)$/.test(words)
  )
    return 'vehicle'
  if (
    /^(?:customer|contact|buyer|consumer|shopper|personal|your|lead|client|prospect|applicant)$/.test(words)
  )
    return 'customer'
  return /^(?:dealer|dealership|store|vendor)$/.test(words) ? 'dealer' : null
}

/** Who buys together with the buyer. */
const BESIDE = [
  String.raw`co (?:buyer|applicant|borrower|signer|owner|purchaser|client|customer)`,
  String.raw`cobuyer|coapplicant|cosigner|coborrower|cosolicitante|(?:co )?(?:emprunteur|acheteur|solicitante|comprador)`,
  String.raw`joint (?:applicant|buyer|owner|borrower|purchaser)`,
  String.raw`(?:second|secondary|2nd|additional|other) (?:buyer|applicant|owner|driver|borrower|contact)`,
  String.raw`(?:buyer|applicant|borrower) (?:2|two|b)`,
  String.raw`spouse|partner|husband|wife|conyuge|espos[oa]|conjointe?|ehepartner(?:in)?`,
  String.raw`mitantragsteller(?:in)?|mitkaufer(?:in)?|zweiter (?:kaufer|antragsteller)`,
  String.raw`(?:emergency|alternate) contact|references?|referr(?:al|ed by|er)`,
].join('|')

/** Who works at the store or the portal. The whole heading, or the end of it: "Contact your account manager". */
const STAFF = [
  String.raw`sales ?(?:person|people|man|woman|rep|reps|representatives?|consultants?|agents?|advis[oe]rs?|associates?|contact|managers?|team|staff)`,
  String.raw`(?:account|bdc|internet|finance|store|lead|general|product|client success|dealer) (?:managers?|representatives?|reps?|specialists?|advis[oe]rs?)`,
  String.raw`(?:dealer(?:ship)?|store|vendor|portal|support|seller) contacts?|(?:customer )?(?:support|service) (?:team|contact)`,
  String.raw`(?:your|our|assigned) (?:rep|representative|advis[oe]r|consultant|agent|team|contact person)`,
  String.raw`verkaufer(?:in)?|ansprechpartner(?:in)?|(?:kunden|verkaufs)berater(?:in)?|zustandig`,
  String.raw`vendedora?|asesora?(?: de ventas)?|agente de ventas|conseill(?:er|ere)(?: (?:commercial|en ventes?))?|vendeu(?:r|se)`,
].join('|')

const IS_BESIDE = new RegExp(`^(?:(?:the|your) )?(?:${BESIDE})(?: s)?$`)
const IS_STAFF = new RegExp(
  `^(?:assigned(?: to| user| agent| dealer)?|owner|handled by|asignado a|assigne a|zugewiesen an)$|(?:^| )(?:${STAFF})$`,
)

/** Whether a heading is about someone who isn't the buyer. `words`: in lower case with single spaces. */
function isOtherPerson(words: string): boolean {
  const plain = words.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return IS_BESIDE.test(plain) || (plain.split(' ').length <= 7 && IS_STAFF.test(plain))
}
