import type { FeedTarget } from './mapping.ts'

/**
 * What providers call the columns of each field, in small letters and digits alone; the better name first. A name that
 * stands for two things is with the likelier one: `type` says new or used in feeds, seldom the body.
 */
export const ALIASES: Readonly<Record<FeedTarget, string>> = {
  vin: 'vin vinnumber vehiclevin vehicleidentificationnumber vincode vehicleid17 fullvin serialnumber vinno chassisnumber',
  stock:
    'stock stocknumber stockno stocknum stk stkno stkno stknumber stockid inventorynumber inventoryid dealerstocknumber unitnumber vehiclestocknumber stockcode sku dealerstockno itemid',
  condition:
    'condition newused neworused usednew newusedflag stocktype stateofvehicle inventorytype vehiclecondition type saleclass vehicletype status newusedindicator conditiontype nucode isnew cartype inventorystatus vehiclestatus listingtype',
  year: 'year modelyear vehicleyear yr my yearmodel manufactureyear caryear buildyear releaseyear',
  make: 'make manufacturer brand makename vehiclemake carmake mfr division makedescription',
  model: 'model modelname vehiclemodel carmodel modeldescription modeldesc family',
  trim: 'trim series trimlevel trimname modeltrim submodel vehicletrim badge version seriesdescription trimdescription variant styletrim',
  body: 'body bodystyle bodytype vehiclebody bodydescription bodytypename style bodyclass bodystylename vehiclebodytype bodydesc standardbody marketclass',
  doors: 'doors doorcount numberofdoors numdoors doorsnumber noofdoors door doorquantity',
  colour:
    'exteriorcolor extcolor color colour exteriorcolour extcolour colorexterior exteriorcolorname extcolordescription exteriorcolordescription paint colourexterior outsidecolor bodycolor extcolorname',
  genericColour:
    'genericcolor extcolorgeneric exteriorcolorgeneric baseextcolor genericexteriorcolor basecolor standardcolor genericexteriorcolordescription colourgeneric extgenericcolor exteriorbasecolor colorfamily',
  interiorColour:
    'interiorcolor intcolor interiorcolour intcolour colorinterior interiorcolorname intcolordescription interior interiorcolordescription intcolorname insidecolor trimcolor interiortrimcolour',
  mileage:
    'mileage miles odometer kilometres kilometers kms km odometerreading currentmileage mileagevalue milage odo vehiclemileage odometervalue odometerkm currentmiles kmreading mileageinmiles distancetravelled',
  engine:
    'engine enginedescription enginedesc enginetype enginename engineinfo enginesize enginedisplacement motor vehicleengine displacement engineblocktype engineconfiguration',
  fuel: 'fuel fueltype fueltypename fueltypedescription vehiclefuel enginefuel fueldescription fuelcategory',
  electrification: 'electrification electrificationlevel powertraintype hybridtype powertrain evtype',
  transmission:
    'transmission transmissiontype trans transmissiondescription transmissionname gearbox transmissiondesc vehicletransmission transmissionspeed tranmission geartype',
  drivetrain:
    'drivetrain drivetype drive driveline drivetraintype wheeldrive drivetraindesc drivetraindescription drivenwheels driveconfiguration drivewheelconfiguration drivewheels vehicledrivetrain',
  cityEconomy:
    'citympg mpgcity cityfueleconomy epacity city_mpg fueleconomycity economycity epacitympg citymileage fuelcity cityfuel consumptioncity',
  highwayEconomy:
    'highwaympg hwympg mpghighway mpghwy highwayfueleconomy epahighway fueleconomyhighway epahighwaympg highwaymileage hwymileage fuelhighway highwayfuel',
  whPerMile: 'whpermile whmi energyconsumption whpermi kwhper100mi',
  co2: 'co2 co2emissions co2gkm co2emission emissions carbonemissions',
  options:
    'options features equipment vehicleoptions optionlist factoryoptions installedoptions standardequipment optiondescription featurelist optionaldescription highvaluefeatures accessories extrahvfeatures',
  description:
    'description comments dealercomments vehicledescription sellercomments notes vehiclecomments sellernotes detaileddescription dealercomment webdescription adtext descriptions dealernotes marketingdescription comment advertisementtext htmldescription',
  msrp: 'msrp retailprice listprice sticker stickerprice basemsrp totalmsrp msrpprice suggestedprice vehiclemsrp manufacturersuggestedretailprice rrp retail',
  invoice: 'invoice invoiceprice dealerinvoice invoicecost vehicleinvoice invoiceamount',
  cost: 'cost dealercost vehiclecost totalcost unitcost costprice acquisitioncost',
  price:
    'internetprice saleprice specialprice sellingprice advertisedprice finalprice price askingprice webprice currentprice dealerprice vehicleprice sellprice priceinternet offerprice salesprice ourprice pricecurrent egcprice driveawayprice nowprice onlineprice displayprice cashprice advertised amount',
  feedPrice: '',
  marketPrice:
    'marketprice marketvalue averagemarketprice avgmarketprice marketaverage marketavg mmr mmrvalue mmrprice manheimmmr manheimvalue currentmarketvalue retailmarketvalue fairmarketvalue',
  marketPriceSource: 'marketpricesource marketvaluesource marketpricepublisher marketpricefrom mmrsource',
  marketPriceOn:
    'marketpricedate marketvaluedate marketpriceasof marketvalueasof mmrdate marketpriceupdated mmrupdated',
  bookValue:
    'bookvalue bookprice kbb kbbvalue kbbprice kbbretail kelleybluebook kelleybluebookvalue jdpower jdpowervalue jdpowerretail nada nadavalue nadaretail blackbook blackbookvalue galves galvesvalue',
  bookValueSource: 'bookvaluesource bookvaluepublisher bookvaluefrom booksource bookpublisher book bookname',
  bookValueOn:
    'bookvaluedate bookvalueasof bookdate kbbdate jdpowerdate nadadate blackbookdate bookvalueupdated',
  inStockOn:
    'dateinstock instockdate datereceived entrydate stockdate inventorydate dateadded arrivaldate datefirstonlot firstseenatdate instock lotdate createddate receiveddate dateentered inventorysince dateinstocked dateoflisting listingdate firstonlot daysinstock age daysininventory dom daysonlot',
  certification:
    'certification certified certifiedpreowned cpo iscertified certifiedprogram certifiedflag certificationname certifiedpreownedprogram certificationtype manufacturercertified factorycertified',
  pageUrl:
    'url vdpurl link vehicleurl detailurl pageurl vdp detailpageurl vehiclelink websitevdpurl listingurl vdplink weburl permalink productlink webpage adurl detailsurl vehicledetailurl vdpurllink websiteurl inventoryurl',
  photos:
    'photos images imageurls photourls imagelist photourl imageurl allimages pictures photolist photo image imagelink picture pictureurls vehicleimages imageurllist additionalimagelink vehiclephotos medialinks imagepaths photolinks picturelist picturesurls pics imgs photoslist images url imagesurl medias photourllist photolinks photosurl mediaphotolinks photolinkscached',
  dealer:
    'dealerid dealernumber dealercode dealershipid dealer storecode rooftopid storeid dealershipname dealername locationid clientid sellerid lotid accountid branchid dealerno retailerid yardcode storename rooftop location branch dealershipcode',
}

/** Small letters and digits alone: `Stock #` and `stock_number` are told apart by what is left. */
export function squeezeName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/#/g, 'number')
    .replace(/\s\(\d+\)$/, '')
    .replace(/\[\d+\]/g, '')
    .replace(/[^a-z0-9]/g, '')
}
