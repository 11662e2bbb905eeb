const KINDS: ReadonlySet<string> = new Set(['accessory', 'discount', 'rebate'])

/** Whether buyers may read what a rule adds or deducts: it has a name for them, and lowers or raises the price for everyone. */
export const isNamedForBuyers = ({ kind, label }: { kind: string; label: string | null }): boolean =>
  label !== null && KINDS.has(kind)
