/** What the labels of forms and portals are about. */
export type LabelKind =
  | 'name'
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'company'
  | 'email'
  | 'phone'
  | 'fax'
  | 'street'
  | 'street2'
  | 'cityLine'
  | 'city'
  | 'region'
  | 'postalCode'
  | 'country'
  | 'contactMethod'
  | 'contactTime'
  | 'comments'
  | 'timeframe'
  | 'vehicle'
  | 'year'
  | 'make'
  | 'model'
  | 'trim'
  | 'vin'
  | 'stock'
  | 'bodyStyle'
  | 'transmission'
  | 'color'
  | 'interiorColor'
  | 'mileage'
  | 'price'
  | 'status'
  | 'condition'
  | 'vehicleUrl'
  | 'tradeIn'
  | 'service'
  | 'dealer'
  | 'dealerCode'
  | 'leadId'
  | 'requestedAt'
  | 'sender'

/** Which part of a mail a label is in, as headings and the words of the label itself say. `other`: someone else, such as a co-buyer. */
export type LabelSection = 'customer' | 'vehicle' | 'trade' | 'dealer' | 'other'

export const NAME_KINDS: ReadonlySet<LabelKind> = new Set(['name', 'firstName', 'middleName', 'lastName'])
export const CONTACT_KINDS: ReadonlySet<LabelKind> = new Set(['email', 'phone', 'fax'])
/** What a person has, and no inquiry. */
export const PERSON_KINDS: ReadonlySet<LabelKind> = new Set<LabelKind>([
  ...NAME_KINDS,
  ...CONTACT_KINDS,
  'sender',
  'company',
  'street',
  'street2',
  'cityLine',
  'city',
  'region',
  'postalCode',
  'country',
  'contactMethod',
  'contactTime',
])
export type KnownLabel = Readonly<{ kind: LabelKind; section: LabelSection | null }>
