import { moneyText } from './listing-row.ts'
import { realPictures, type VehicleListing } from './vehicle-listing.ts'

/**
 * The listing as a schema.org `Car` with an `Offer`, for the vehicle page. Missing values are omitted, so the page never
 * states more than the feeds do.
 */
export function jsonLdOf(listing: VehicleListing): Record<string, unknown> {
  const { mileage, price, seller, url } = listing
  return known({
    '@context': 'https://schema.org',
    '@type': 'Car',
    name: listing.title,
    sku: listing.stock,
    vehicleIdentificationNumber: listing.vin,
    brand: listing.make === null ? null : { '@type': 'Brand', name: listing.make },
    model: listing.model,
    vehicleConfiguration: listing.trim,
    vehicleModelDate: listing.year === null ? null : String(listing.year),
    bodyType: listing.body,
    numberOfDoors: listing.doors,
    color: listing.color,
    vehicleInteriorColor: listing.interiorColor,
    fuelType: listing.fuel,
    vehicleTransmission: listing.transmission,
    driveWheelConfiguration: listing.drivetrain,
    vehicleEngine: listing.engine === null ? null : { '@type': 'EngineSpecification', name: listing.engine },
    // UN/CEFACT codes for miles and kilometers.
    mileageFromOdometer: mileage && {
      '@type': 'QuantitativeValue',
      value: mileage.value,
      unitCode: mileage.unit === 'km' ? 'KMT' : 'SMI',
    },
    description: listing.description,
    image: realPictures(listing).map((picture) => picture.url),
    url,
    itemCondition: conditionOf(listing),
    offers:
      price &&
      known({
        '@type': 'Offer',
        price: moneyText(price),
        priceCurrency: price.currency,
        availability: `https://schema.org/${listing.isLive && listing.isLotPublic ? 'InStock' : 'OutOfStock'}`,
        itemCondition: conditionOf(listing),
        url,
        seller: known({
          '@type': 'AutoDealer',
          name: seller.name,
          telephone: seller.phone,
          address: addressOf(seller),
        }),
      }),
  })
}

function conditionOf({ isNew }: VehicleListing): string {
  return `https://schema.org/${isNew ? 'NewCondition' : 'UsedCondition'}`
}

function addressOf({ address, city, region, postalCode, country }: VehicleListing['seller']) {
  if (address === null && city === null) return null
  return known({
    '@type': 'PostalAddress',
    streetAddress: address,
    addressLocality: city,
    addressRegion: region,
    postalCode,
    addressCountry: country,
  })
}

function known(all: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(all).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
