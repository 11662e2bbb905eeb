import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { PUBLISHED_CHOICES } from './publishing.ts'

export const VEHICLE_LIST = defineList({
  key: 'vehicles',
  title: 'Vehicle data',
  nouns: ['vehicle', 'vehicles'],
  page: '/inventory/vehicle-data',
  allow: can(Func.vehicles, Opr.list),
  exports: can(Func.vehicles, Opr.export),
  sort: '-updatedAt',
  fields: {
    name: { title: 'Vehicle', kind: 'text', isSortable: true, isFixed: true, isFilterable: false },
    stock: { title: 'Stock', kind: 'text', isSortable: true },
    vin: { title: 'VIN', kind: 'text', isSortable: true, isHidden: true, shownIn: 'stock' },
    condition: {
      title: 'Condition',
      kind: 'choice',
      isFacet: true,
      isSortable: true,
      choices: [
        { value: 'new', label: 'New' },
        { value: 'used', label: 'Used' },
        { value: 'cpo', label: 'Certified' },
        { value: 'demo', label: 'Demo' },
      ],
    },
    status: {
      title: 'Status',
      kind: 'choice',
      isFacet: true,
      isSortable: true,
      choices: [
        { value: 'incoming', label: 'Incoming' },
        { value: 'preparing', label: 'Preparing' },
        { value: 'live', label: 'For sale' },
        { value: 'hold', label: 'Hold' },
        { value: 'pending', label: 'Pending' },
        { value: 'sold', label: 'Sold' },
        { value: 'archived', label: 'Archived' },
        { value: 'wholesale', label: 'Wholesale' },
        { value: 'removed', label: 'Removed by feed' },
      ],
    },
    /** What buyers see, derived from the status, the lot and missing details. */
    published: {
      title: 'Published',
      kind: 'choice',
      isHidden: true,
      isFacet: true,
      choices: PUBLISHED_CHOICES,
    },
    lotId: { title: 'Lot', kind: 'reference', refersTo: 'lots', isSortable: true, isFacet: true },
    year: { title: 'Year', kind: 'integer', isSortable: true, isHidden: true, isFacet: true },
    make: { title: 'Make', kind: 'text', isSortable: true, isHidden: true, isFacet: true },
    model: { title: 'Model', kind: 'text', isSortable: true, isHidden: true, isFacet: true },
    trim: { title: 'Trim', kind: 'text', isHidden: true },
    body: { title: 'Body', kind: 'text', isHidden: true, isFacet: true },
    color: { title: 'Color', kind: 'text', isHidden: true },
    fuel: { title: 'Fuel', kind: 'text', isHidden: true, isFacet: true },
    transmission: { title: 'Transmission', kind: 'text', isHidden: true },
    drivetrain: { title: 'Drivetrain', kind: 'text', isHidden: true, isFacet: true },
    inStockOn: { title: 'In stock since', kind: 'date', isSortable: true, isHidden: true },
    daysInStock: { title: 'Days', kind: 'integer', isSortable: true },
    mileage: { title: 'Mileage', kind: 'integer', isSortable: true },
    /** After the pricing rules, before fees; and with the fees that the lot's price law includes. */
    sellingPrice: { title: 'Selling price', kind: 'money', isSortable: true, isHidden: true },
    totalPrice: { title: 'Total price', kind: 'money', isSortable: true },
    /** As a feed or a person set it. */
    price: { title: 'Price before rules', kind: 'money', isSortable: true, isHidden: true },
    /** Who decides about the price now. Fixed: a special price of this vehicle, which rules don't change. */
    priceState: {
      title: 'Price set by',
      kind: 'choice',
      isHidden: true,
      choices: [
        { value: 'source', label: 'From the feed' },
        { value: 'person', label: 'Changed by a person' },
        { value: 'fixed', label: 'Fixed' },
      ],
    },
    /** What the feed sent last, whatever the price is now. */
    sourcePrice: { title: 'Last price from feed', kind: 'money', isHidden: true },
    /** Open: a person set the price, and the feed has sent another one than before. */
    priceDecision: {
      title: 'Price decision',
      kind: 'choice',
      isHidden: true,
      choices: [{ value: 'open', label: 'New price from feed' }],
    },
    msrp: { title: 'MSRP', kind: 'money', isSortable: true, isHidden: true },
    cost: {
      title: 'Cost',
      kind: 'money',
      isSortable: true,
      isHidden: true,
      needs: can(Func.vehicleCost, Opr.list),
    },
    marketPrice: { title: 'Market price', kind: 'money', isSortable: true, isHidden: true },
    marketPriceSource: { title: 'Market price source', kind: 'text', isHidden: true },
    marketPriceOn: { title: 'Market price as of', kind: 'date', isSortable: true, isHidden: true },
    bookValue: { title: 'Book value', kind: 'money', isSortable: true, isHidden: true },
    bookValueSource: { title: 'Book value source', kind: 'text', isHidden: true },
    bookValueOn: { title: 'Book value as of', kind: 'date', isSortable: true, isHidden: true },
    photoCount: { title: 'Photos', kind: 'integer', isHidden: true },
    completeness: { title: 'Completeness', kind: 'integer', isSortable: true, isHidden: true, unit: '%' },
    tags: { title: 'Tags', kind: 'texts', isHidden: true, isFacet: true },
    notPublishedReason: { title: 'Not published because', kind: 'text', isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
