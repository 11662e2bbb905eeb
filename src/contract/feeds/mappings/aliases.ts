import type { FeedTarget } from './mapping.ts'

/**
 * What providers call the columns of each field, as lowercase letters and digits only, best name first. An ambiguous name is
 * listed under its likelier field: in feeds, `type` usually means new or used, seldom the body.
 */
export const ALIASES: Readonly<Record<FeedTarget, string>> = {
  vin: 'vin vinnumber vehiclevin vehicleidentificationnumber vincode vehicleid17 fullvin serialnumber vinno chassisnumber fahrgestellnummer fahrzeugidentnummer fahrzeugidentifizierungsnummer fin numerodeserie numerovin niv chassis bastidor numerodebastidor vinnr',
  stock:
    'stock stocknumber stockno stocknum stk stkno stkno stknumber stockid inventorynumber inventoryid dealerstocknumber unitnumber vehiclestocknumber stockcode sku dealerstockno itemid internenummer angebotsnummer fahrzeugnummer lagernummer bestandsnummer numerodestock numeroinventaire numerodinventaire numerodeinventario inventario',
  condition:
    'condition newused neworused usednew newusedflag stocktype stateofvehicle inventorytype vehiclecondition type saleclass vehicletype newusedindicator conditiontype nucode isnew cartype listingtype zustand fahrzeugzustand fahrzeugart etat estado estadodelvehiculo nuevousado neufoccasion',
  status:
    'status vehiclestatus inventorystatus stockstatus salestatus salesstatus unitstatus lotstatus availability availabilitystatus disposition sold issold verkaufsstatus statut disponibilite disponibilidad',
  year: 'year modelyear vehicleyear yr my yearmodel manuyear yearofmanufacture manufacturedyear yearbuilt manufactureyear caryear buildyear releaseyear baujahr modelljahr jahr erstzulassung annee anneemodele ano anio anodelmodelo built',
  make: 'make manufacturer brand makename vehiclemake carmake mfr division makedescription marke hersteller marque marca',
  model:
    'model modelname vehiclemodel carmodel modeldescription modeldesc family modell modele modelo modellbezeichnung',
  trim: 'trim trimlevel trimname modeltrim badge series submodel vehicletrim version seriesdescription trimdescription variant styletrim ausstattung ausstattungslinie ausfuhrung finition',
  body: 'body bodystyle bodytype vehiclebody bodydescription bodytypename style bodyclass bodystylename vehiclebodytype bodydesc standardbody marketclass karosserie karosserieform aufbau fahrzeugtyp carrosserie carroceria tipodecarroceria',
  doors:
    'doors doorcount numberofdoors numdoors doorsnumber noofdoors door doorquantity turen anzahlturen portes nombredeportes puertas',
  color:
    'exteriorcolor extcolor color colour exteriorcolour extcolour colorexterior exteriorcolorname extcolordescription exteriorcolordescription paint colourexterior outsidecolor bodycolor bodycolour paintcolour paintcolor extcolorname farbe aussenfarbe auenfarbe lackierung couleur couleurexterieure colorexterieur',
  genericColor:
    'genericcolor extcolorgeneric exteriorcolorgeneric baseextcolor genericexteriorcolor basecolor standardcolor genericexteriorcolordescription colourgeneric extgenericcolor exteriorbasecolor colorfamily',
  interiorColor:
    'interiorcolor intcolor interiorcolour intcolour colorinterior interiorcolorname intcolordescription interior interiorcolordescription intcolorname insidecolor trimcolor trimcolour interiortrimcolor interiortrimcolour innenfarbe innenausstattung couleurinterieure',
  mileage:
    'mileage miles odometer kilometres kilometers kms km odometerreading currentmileage mileagevalue milage odo vehiclemileage odometervalue odometerkm currentmiles kmreading mileageinmiles distancetravelled milesreading mileagereading odometermiles odometerkms totalmiles actualmiles vehiclemiles milesodometer kilometerstand laufleistung kilometrage kilometraje kilometros usagereadingvalue',
  engine:
    'engine enginedescription enginedesc enginetype enginename engineinfo enginesize enginedisplacement motor vehicleengine displacement engineblocktype engineconfiguration moteur hubraum motorisierung cilindrada',
  fuel: 'fuel fueltype fueltypename fueltypedescription vehiclefuel enginefuel fueldescription fuelcategory kraftstoff kraftstoffart treibstoff carburant energie combustible tipodecombustible',
  electrification: 'electrification electrificationlevel powertraintype hybridtype powertrain evtype',
  transmission:
    'transmission transmissiontype trans transmissiondescription transmissionname gearbox transmissiondesc vehicletransmission transmissionspeed tranmission geartype getriebe getriebeart schaltung boitedevitesses boite transmision caja cajadecambios',
  drivetrain:
    'drivetrain drivetype drive driveline drivetraintype wheeldrive drivetraindesc drivetraindescription drivenwheels driveconfiguration drivewheelconfiguration drivewheels vehicledrivetrain antrieb antriebsart traction transmissionintegrale traccion',
  cityEconomy:
    'citympg mpgcity cityfueleconomy epacity city_mpg fueleconomycity economycity epacitympg citymileage fuelcity cityfuel consumptioncity',
  highwayEconomy:
    'highwaympg hwympg mpghighway mpghwy highwayfueleconomy epahighway fueleconomyhighway epahighwaympg highwaymileage hwymileage fuelhighway highwayfuel',
  whPerMile: 'whpermile whmi energyconsumption whpermi kwhper100mi',
  co2: 'co2 co2emissions co2gkm co2emission emissions carbonemissions co2ausstoss co2emissionen',
  options:
    'options features equipment vehicleoptions optionlist factoryoptions installedoptions standardequipment optiondescription featurelist optionaldescription highvaluefeatures accessories extrahvfeatures sonderausstattung ausstattungsmerkmale equipements equipamiento opciones',
  description:
    'description comments dealercomments vehicledescription sellercomments notes vehiclecomments sellernotes detaileddescription dealercomment webdescription adtext descriptions dealernotes marketingdescription comment advertisementtext htmldescription beschreibung bemerkung bemerkungen fahrzeugbeschreibung commentaires descripcion comentarios observaciones',
  msrp: 'msrp retailprice listprice sticker stickerprice basemsrp totalmsrp msrpprice suggestedprice vehiclemsrp manufacturersuggestedretailprice rrp retail listenpreis neupreis uvp prixcatalogue preciodelista',
  invoice: 'invoice invoiceprice dealerinvoice invoicecost vehicleinvoice invoiceamount',
  cost: 'cost dealercost vehiclecost totalcost unitcost costprice acquisitioncost einkaufspreis prixdachat costo',
  price:
    'pricebeforerules newprice updatedprice revisedprice internetprice saleprice specialprice sellingprice advertisedprice finalprice price askingprice webprice currentprice dealerprice vehicleprice sellprice priceinternet offerprice salesprice ourprice pricecurrent special egcprice driveawayprice nowprice onlineprice displayprice cashprice advertised amount preis verkaufspreis endpreis bruttopreis preisbrutto angebotspreis barpreis now prix prixdevente prixttc precio preciodeventa precioventa',
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
    'dateinstock instockdate datereceived entrydate stockdate inventorydate dateadded deliverydate datefirstonlot firstseenatdate instock lotdate createddate receiveddate dateentered inventorysince instocksince dateinstocked dateoflisting listingdate firstonlot daysinstock age daysininventory dom daysonlot eingangsdatum standtage zugang datedentree dateentree fechadeingreso',
  certification:
    'certification certified certifiedpreowned cpo iscertified certifiedprogram certifiedflag certificationname certifiedpreownedprogram certificationtype manufacturercertified factorycertified zertifiziert certifie certificado',
  pageUrl:
    'url vdpurl link vehicleurl detailurl pageurl vdp detailpageurl vehiclelink websitevdpurl listingurl vdplink weburl permalink productlink webpage adurl detailsurl vehicledetailurl vdpurllink websiteurl inventoryurl fahrzeuglink detailseite lien enlace',
  photos:
    'photos images imageurls photourls imagelist photourl imageurl allimages pictures photolist photo image imagelink picture pictureurls vehicleimages imageurllist additionalimagelink vehiclephotos medialinks imagepaths photolinks picturelist picturesurls pics imgs photoslist images url imagesurl medias photourllist photolinks photosurl mediaphotolinks photolinkscached bilder fotos bildurl bildurls imagenes fotourl lienphotos',
  dealer:
    'dealerid dealernumber dealercode dealershipid dealer storecode rooftopid storeid dealershipname dealername locationid clientid sellerid lotid accountid branchid dealerno retailerid yardcode storename rooftop location branch dealershipcode handlernummer haendlernummer standort filiale concession concessionnaire sucursal concesionario',
}

/** Reduces a name to lowercase letters and digits, so that `Stock #` and `stock_number` match. */
export function squeezeName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/#/g, 'number')
    .replace(/\s\(\d+\)$/, '')
    .replace(/\[\d+\]/g, '')
    .replace(/[^a-z0-9]/g, '')
}
