import { moneyText } from './listing-row.ts'
import { realPictures, type VehicleListing } from './vehicle-listing.ts'

/**
 * The offer as schema.org's `Car` with its `Offer`, for the page of a vehicle. What is not known is left out: nothing is
 * said that the feeds do not say.
 */
export function jsonLdOf(offer: VehicleListing): Record<string, unknown> {
  const { mileage, price, seller, url } = offer
  return known({
    '@context': 'https://schema.org',
    '@type': 'Car',
    name: offer.title,
    sku: offer.stock,
    vehicleIdentificationNumber: offer.vin,
    brand: offer.make === null ? null : { '@type': 'Brand', name: offer.make },
    model: offer.model,
    vehicleConfiguration: offer.trim,
    vehicleModelDate: offer.year === null ? null : String(offer.year),
    bodyType: offer.body,
    numberOfDoors: offer.doors,
    color: offer.colour,
    vehicleInteriorColor: offer.interiorColour,
    fuelType: offer.fuel,
    vehicleTransmission: offer.transmission,
    driveWheelConfiguration: offer.drivetrain,
    vehicleEngine: offer.engine === null ? null : { '@type': 'EngineSpecification', name: offer.engine },
    // UN/CEFACT codes of mile and kilometre.
    mileageFromOdometer: mileage && {
      '@type': 'QuantitativeValue',
      value: mileage.value,
      unitCode: mileage.unit === 'km' ? 'KMT' : 'SMI',
    },
    description: offer.description,
    image: realPictures(offer).map((picture) => picture.url),
    url,
    itemCondition: conditionOf(offer),
    offers:
      price &&
      known({
        '@type': 'Offer',
        price: moneyText(price),
        priceCurrency: price.currency,
        availability: `https://schema.org/${offer.isLive && offer.isLotPublic ? 'InStock' : 'OutOfStock'}`,
        itemCondition: conditionOf(offer),
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
