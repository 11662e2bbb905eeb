/** File names that providers use for placeholder photos. The same pattern is in `has_real_photo` of migration 0070. */
const PLACEHOLDER =
  /coming([-_ ]|%20)*soon|no[-_ ]?(image|photo|picture|pic([^a-z0-9_]|$))|place[-_ ]?holder|not[-_ ]?available|awaiting|image[-_ ]?missing|default[-_ ](car|vehicle)/i

/** Whether the path or URL of a photo is a provider's placeholder, such as "coming-soon.png". */
export const isPlaceholderPhoto = (place: string): boolean => PLACEHOLDER.test(place)

/**
 * Why buyers can't see a vehicle, besides its workflow status, in words. Every channel needs all of this, so a vehicle with none
 * of these reasons is published. A channel may need more, such as a VIN.
 */
export const UNPUBLISHED_REASONS = {
  noPrice: 'no price',
  noPicture: 'no photos',
  placeholderOnly: 'placeholder photos only',
  noName: 'no year, make or model',
  hiddenLot: 'lot is hidden',
  archived: 'organization is archived',
} as const

/** The derived status: what a buyer sees. */
export const PUBLISHED_CHOICES = [
  { value: 'published', label: 'Published' },
  { value: 'not-published', label: 'Not published' },
] as const
