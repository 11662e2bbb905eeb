/** The values that the DTD of ADF 1.0 allows, with its default first where it has one. */
export const ADF_STATUSES = ['new', 'resend'] as const
export const ADF_INTERESTS = ['buy', 'lease', 'sell', 'trade-in', 'test-drive'] as const
export const ADF_VEHICLE_STATUSES = ['new', 'used'] as const
export const ADF_ODOMETER_UNITS = ['mi', 'km'] as const
export const ADF_ODOMETER_STATUSES = ['unknown', 'rolledover', 'replaced', 'original'] as const
export const ADF_PRICE_TYPES = ['quote', 'offer', 'msrp', 'invoice', 'call', 'appraisal', 'asking'] as const
export const ADF_PRICE_DELTAS = ['absolute', 'relative', 'percentage'] as const
export const ADF_PRICE_BASES = ['msrp', 'invoice'] as const
export const ADF_AMOUNT_TYPES = ['total', 'downpayment', 'monthly'] as const
export const ADF_AMOUNT_LIMITS = ['maximum', 'minimum', 'exact'] as const
export const ADF_BALANCE_TYPES = ['finance', 'residual'] as const
export const ADF_PHONE_TYPES = ['voice', 'fax', 'cellphone', 'pager'] as const
export const ADF_PHONE_TIMES = ['nopreference', 'morning', 'afternoon', 'evening', 'day'] as const
export const ADF_ADDRESS_TYPES = ['work', 'home', 'delivery'] as const

/** The element in which a value is written that ADF has no place for; `at` and `attribute` say where it was. */
export const REST_ELEMENT = 'additional'

/** What is read of one document at most. Longer texts are cut and further elements left out, each with a warning. */
export const ADF_LIMITS = {
  prospects: 50,
  /** Vehicles, phones, options and so on of one lead. */
  list: 50,
  extensions: 200,
  /** Values that no field holds, and the characters of all of them. */
  rest: 1_000,
  restText: 200_000,
  /** In characters, of one line. */
  line: 500,
  /** In characters, of comments. */
  text: 20_000,
  warnings: 100,
} as const
