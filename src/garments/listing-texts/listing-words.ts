import type { Condition } from '../listing-values.ts'
import type { Wearer } from '../../vision/attributes/wearer.ts'
import type { ItemType } from '../../vision/taxonomy/item-types.ts'

/** Listing languages, by ISO 639-1 code. */
export const languages = ['en', 'de', 'fr', 'es', 'it'] as const

export type Language = (typeof languages)[number]

/** Returns the listing language for a code; English for any other code. */
export const readLanguage = (code: string | undefined): Language =>
  languages.find((language) => language === code) ?? 'en'

/** A word in all languages, in the order of `languages`. English is British, as in the tags. */
type Words = readonly [en: string, de: string, fr: string, es: string, it: string]

/** An empty word leaves out a value that goes without saying, such as a plain pattern. */
type Table<Key extends string> = Readonly<Record<Key, Words>>

// prettier-ignore
const labels = {
  size: ['Size', 'Größe', 'Taille', 'Talla', 'Taglia'],
  colour: ['Colour', 'Farbe', 'Couleur', 'Color', 'Colore'],
  material: ['Material', 'Material', 'Matière', 'Material', 'Materiale'],
  fabric: ['Fabric', 'Stoff', 'Tissu', 'Tejido', 'Tessuto'],
  condition: ['Condition', 'Zustand', 'État', 'Estado', 'Condizioni'],
  measurements: ['Measurements', 'Maße', 'Mesures', 'Medidas', 'Misure'],
  estimated: ['Approximate measurements', 'Ungefähre Maße', 'Mesures approximatives', 'Medidas aproximadas',
    'Misure indicative'],
  flat: ['Measurements, laid flat', 'Maße, flach liegend gemessen', 'Mesures à plat', 'Medidas en plano',
    'Misure in piano'],
  flatEstimated: ['Approximate measurements, laid flat', 'Ungefähre Maße, flach liegend gemessen',
    'Mesures approximatives, à plat', 'Medidas aproximadas en plano', 'Misure indicative in piano'],
  // For the measurement Cuff of a short sleeve.
  sleeveOpening: ['Sleeve opening', 'Ärmelöffnung', 'Ouverture de manche', 'Abertura de la manga', 'Apertura manica'],
} satisfies Table<string>

// prettier-ignore
const wearers: Table<Wearer> = {
  men: ["men's", 'für Herren', 'pour homme', 'de hombre', 'da uomo'],
  women: ["women's", 'für Damen', 'pour femme', 'de mujer', 'da donna'],
  unisex: ['unisex', 'für Damen und Herren', 'pour homme et femme', 'unisex', 'unisex'],
  boys: ["boys'", 'für Jungen', 'pour garçon', 'de niño', 'da bambino'],
  girls: ["girls'", 'für Mädchen', 'pour fille', 'de niña', 'da bambina'],
  children: ["children's", 'für Kinder', 'pour enfant', 'para niños', 'per bambini'],
  babies: ["babies'", 'für Babys', 'pour bébé', 'de bebé', 'da neonato'],
}

// prettier-ignore
const conditions: Table<Condition> = {
  'new with tags': ['new with tags', 'neu mit Etikett', 'neuf avec étiquette', 'nuevo con etiquetas',
    'nuovo con etichette'],
  'new without tags': ['new without tags', 'neu ohne Etikett', 'neuf sans étiquette', 'nuevo sin etiquetas',
    'nuovo senza etichette'],
  'new with defects': ['new with defects', 'neu mit kleinen Fehlern', 'neuf avec de petits défauts',
    'nuevo con pequeños defectos', 'nuovo con piccoli difetti'],
  refurbished: ['refurbished', 'aufgearbeitet', 'remis à neuf', 'reacondicionado', 'ricondizionato'],
  excellent: ['excellent', 'sehr gut', 'très bon état', 'muy buen estado', 'ottime'],
  good: ['good', 'gut', 'bon état', 'buen estado', 'buone'],
  fair: ['fair', 'akzeptabel', 'état correct', 'estado aceptable', 'accettabili'],
  used: ['used', 'gebraucht', "d'occasion", 'de segunda mano', 'usato'],
}

// prettier-ignore
const itemTypes: Table<ItemType> = {
  'T-Shirt': ['T-shirt', 'T-Shirt', 'T-shirt', 'Camiseta', 'T-shirt'],
  'Long-Sleeve T-Shirt': ['long-sleeve T-shirt', 'Langarmshirt', 'T-shirt à manches longues', 'Camiseta de manga larga',
    'T-shirt a maniche lunghe'],
  'Tank Top': ['tank top', 'Tanktop', 'Débardeur', 'Camiseta de tirantes', 'Canotta'],
  'Polo Shirt': ['polo shirt', 'Poloshirt', 'Polo', 'Polo', 'Polo'],
  Bodysuit: ['bodysuit', 'Body', 'Body', 'Body', 'Body'],
  Shirt: ['shirt', 'Hemd', 'Chemise', 'Camisa', 'Camicia'],
  Blouse: ['blouse', 'Bluse', 'Blouse', 'Blusa', 'Blusa'],
  Jumper: ['jumper', 'Pullover', 'Pull', 'Jersey', 'Maglione'],
  Cardigan: ['cardigan', 'Strickjacke', 'Cardigan', 'Cárdigan', 'Cardigan'],
  Sweatshirt: ['sweatshirt', 'Sweatshirt', 'Sweat-shirt', 'Sudadera', 'Felpa'],
  Hoodie: ['hoodie', 'Hoodie', 'Sweat à capuche', 'Sudadera con capucha', 'Felpa con cappuccio'],
  Jacket: ['jacket', 'Jacke', 'Veste', 'Chaqueta', 'Giacca'],
  Coat: ['coat', 'Mantel', 'Manteau', 'Abrigo', 'Cappotto'],
  Blazer: ['blazer', 'Blazer', 'Blazer', 'Blazer', 'Blazer'],
  Waistcoat: ['waistcoat', 'Weste', 'Gilet sans manches', 'Chaleco', 'Gilet'],
  Dress: ['dress', 'Kleid', 'Robe', 'Vestido', 'Vestito'],
  Jumpsuit: ['jumpsuit', 'Jumpsuit', 'Combinaison', 'Mono', 'Tuta intera'],
  Skirt: ['skirt', 'Rock', 'Jupe', 'Falda', 'Gonna'],
  Trousers: ['trousers', 'Hose', 'Pantalon', 'Pantalón', 'Pantaloni'],
  Jeans: ['jeans', 'Jeans', 'Jean', 'Vaqueros', 'Jeans'],
  Joggers: ['joggers', 'Jogginghose', 'Pantalon de jogging', 'Pantalón de chándal', 'Pantaloni della tuta'],
  Leggings: ['leggings', 'Leggings', 'Legging', 'Mallas', 'Leggings'],
  Shorts: ['shorts', 'Shorts', 'Short', 'Pantalón corto', 'Pantaloncini'],
  Shoes: ['shoes', 'Schuhe', 'Chaussures', 'Zapatos', 'Scarpe'],
  Trainers: ['trainers', 'Sneaker', 'Baskets', 'Zapatillas', 'Sneakers'],
  Boots: ['boots', 'Stiefel', 'Bottes', 'Botas', 'Stivali'],
  Sandals: ['sandals', 'Sandalen', 'Sandales', 'Sandalias', 'Sandali'],
  Heels: ['heels', 'High Heels', 'Escarpins', 'Zapatos de tacón', 'Scarpe con tacco'],
  Slippers: ['slippers', 'Hausschuhe', 'Chaussons', 'Zapatillas de casa', 'Pantofole'],
  Hat: ['hat', 'Kopfbedeckung', 'Chapeau', 'Gorro', 'Cappello'],
  Bag: ['bag', 'Tasche', 'Sac', 'Bolso', 'Borsa'],
  Belt: ['belt', 'Gürtel', 'Ceinture', 'Cinturón', 'Cintura'],
  Scarf: ['scarf', 'Schal', 'Écharpe', 'Bufanda', 'Sciarpa'],
  Set: ['set', 'Set', 'Ensemble', 'Conjunto', 'Completo'],
}

// prettier-ignore
const measurements: Table<string> = {
  Chest: ['Chest', 'Brustweite', 'Poitrine', 'Pecho', 'Torace'],
  'Body Length': ['Body length', 'Länge', 'Longueur', 'Largo', 'Lunghezza'],
  Shoulder: ['Shoulder width', 'Schulterbreite', 'Largeur des épaules', 'Ancho de hombros', 'Larghezza spalle'],
  'Sleeve Length': ['Sleeve length', 'Ärmellänge', 'Longueur de manche', 'Largo de manga', 'Lunghezza manica'],
  Hem: ['Hem width', 'Saumweite', "Largeur de l'ourlet", 'Ancho del bajo', 'Larghezza orlo'],
  Cuff: ['Cuff width', 'Ärmelbündchen', 'Largeur du poignet', 'Ancho del puño', 'Larghezza polsino'],
  Waist: ['Waist', 'Taille', 'Largeur à la taille', 'Cintura', 'Vita'],
  Hip: ['Hip', 'Hüfte', 'Hanches', 'Cadera', 'Fianchi'],
  'Front Rise': ['Front rise', 'Leibhöhe vorne', 'Montant devant', 'Tiro delantero', 'Cavallo davanti'],
  Inseam: ['Inside leg', 'Innenbeinlänge', 'Entrejambe', 'Entrepierna', 'Interno gamba'],
  Outseam: ['Outside leg', 'Außenbeinlänge', 'Longueur extérieure de jambe', 'Largo exterior de pierna',
    'Esterno gamba'],
  Thigh: ['Thigh', 'Oberschenkelweite', 'Cuisse', 'Muslo', 'Coscia'],
  'Leg Opening': ['Leg opening', 'Beinweite unten', 'Bas de jambe', 'Bajo de la pierna', 'Fondo gamba'],
  Length: ['Length', 'Länge', 'Longueur', 'Largo', 'Lunghezza'],
  Width: ['Width', 'Breite', 'Largeur', 'Ancho', 'Larghezza'],
  Height: ['Height', 'Höhe', 'Hauteur', 'Alto', 'Altezza'],
}

/**
 * Words by attribute and value. All except colours fit after an item type of any gender and number, and can stand
 * alone.
 */
// prettier-ignore
const values = {
  Colour: {
    Black: ['black', 'Schwarz', 'noir', 'negro', 'nero'],
    Charcoal: ['charcoal', 'Anthrazit', 'anthracite', 'gris antracita', 'antracite'],
    Grey: ['grey', 'Grau', 'gris', 'gris', 'grigio'],
    'Light Grey': ['light grey', 'Hellgrau', 'gris clair', 'gris claro', 'grigio chiaro'],
    White: ['white', 'Weiß', 'blanc', 'blanco', 'bianco'],
    'Off White': ['off-white', 'Wollweiß', 'blanc cassé', 'blanco roto', 'bianco sporco'],
    Cream: ['cream', 'Creme', 'crème', 'crema', 'crema'],
    Beige: ['beige', 'Beige', 'beige', 'beige', 'beige'],
    Tan: ['tan', 'Hellbraun', 'fauve', 'tostado', 'cuoio'],
    Camel: ['camel', 'Camel', 'camel', 'camel', 'cammello'],
    Taupe: ['taupe', 'Taupe', 'taupe', 'gris topo', 'tortora'],
    Brown: ['brown', 'Braun', 'marron', 'marrón', 'marrone'],
    'Dark Brown': ['dark brown', 'Dunkelbraun', 'marron foncé', 'marrón oscuro', 'marrone scuro'],
    Khaki: ['khaki', 'Khaki', 'kaki clair', 'caqui', 'kaki'],
    Olive: ['olive', 'Oliv', 'vert olive', 'verde oliva', 'verde oliva'],
    Sage: ['sage', 'Salbeigrün', 'vert sauge', 'verde salvia', 'verde salvia'],
    Green: ['green', 'Grün', 'vert', 'verde', 'verde'],
    'Dark Green': ['dark green', 'Dunkelgrün', 'vert foncé', 'verde oscuro', 'verde scuro'],
    Mint: ['mint', 'Mint', 'vert menthe', 'verde menta', 'verde menta'],
    Lime: ['lime', 'Limettengrün', 'vert citron', 'verde lima', 'verde lime'],
    Teal: ['teal', 'Petrol', 'bleu canard', 'azul petróleo', 'verde petrolio'],
    Turquoise: ['turquoise', 'Türkis', 'turquoise', 'turquesa', 'turchese'],
    'Light Blue': ['light blue', 'Hellblau', 'bleu clair', 'azul claro', 'azzurro'],
    Blue: ['blue', 'Blau', 'bleu', 'azul', 'blu'],
    'Royal Blue': ['royal blue', 'Königsblau', 'bleu roi', 'azul real', 'blu elettrico'],
    Navy: ['navy', 'Marineblau', 'bleu marine', 'azul marino', 'blu navy'],
    'Denim Blue': ['denim blue', 'Jeansblau', 'bleu jean', 'azul vaquero', 'blu denim'],
    Purple: ['purple', 'Lila', 'violet', 'morado', 'viola'],
    Lavender: ['lavender', 'Lavendel', 'lavande', 'lavanda', 'lavanda'],
    Mauve: ['mauve', 'Mauve', 'mauve', 'malva', 'malva'],
    Plum: ['plum', 'Pflaume', 'prune', 'ciruela', 'prugna'],
    Pink: ['pink', 'Rosa', 'rose', 'rosa', 'rosa'],
    Blush: ['blush', 'Zartrosa', 'rose poudré', 'rosa empolvado', 'rosa cipria'],
    'Hot Pink': ['hot pink', 'Pink', 'rose vif', 'fucsia', 'fucsia'],
    Coral: ['coral', 'Koralle', 'corail', 'coral', 'corallo'],
    Peach: ['peach', 'Pfirsich', 'pêche', 'melocotón', 'pesca'],
    Red: ['red', 'Rot', 'rouge', 'rojo', 'rosso'],
    Burgundy: ['burgundy', 'Bordeaux', 'bordeaux', 'burdeos', 'bordeaux'],
    Rust: ['rust', 'Rostrot', 'rouille', 'óxido', 'ruggine'],
    Orange: ['orange', 'Orange', 'orange', 'naranja', 'arancione'],
    Mustard: ['mustard', 'Senfgelb', 'moutarde', 'mostaza', 'senape'],
    Yellow: ['yellow', 'Gelb', 'jaune', 'amarillo', 'giallo'],
    Multi: ['several colours', 'mehreren Farben', 'multicolore', 'varios colores', 'multicolore'],
  },
  Pattern: {
    Plain: ['', '', '', '', ''],
    Striped: ['striped', 'mit Streifen', 'à rayures', 'de rayas', 'a righe'],
    Checked: ['checked', 'mit Karomuster', 'à carreaux', 'de cuadros', 'a quadri'],
    Dotted: ['dotted', 'mit Punkten', 'à pois', 'de lunares', 'a pois'],
    Floral: ['floral', 'mit Blumenmuster', 'à fleurs', 'de flores', 'a fiori'],
    Animal: ['animal-print', 'mit Animal-Print', 'à imprimé animal', 'con estampado animal', 'con stampa animalier'],
    Camouflage: ['camouflage', 'mit Camouflage-Muster', 'à motif camouflage', 'con estampado de camuflaje',
      'con stampa mimetica'],
    'Colour Block': ['colour-block', 'mit Farbblöcken', 'à blocs de couleurs', 'con bloques de color',
      'a blocchi di colore'],
    Graphic: ['graphic', 'mit Motivdruck', 'à motif graphique', 'con estampado gráfico', 'con stampa grafica'],
    Knit: ['textured-knit', 'mit Strickmuster', 'en maille texturée', 'de punto con textura', 'a maglia lavorata'],
    Printed: ['printed', 'mit Druckmuster', 'à motif imprimé', 'con estampado', 'con stampa'],
  },
  Neckline: {
    Crew: ['crew neck', 'Rundhalsausschnitt', 'col rond', 'cuello redondo', 'girocollo'],
    Scoop: ['scoop neck', 'weiter Rundausschnitt', 'encolure dégagée', 'escote redondo', 'scollo ampio'],
    'V-Neck': ['V-neck', 'V-Ausschnitt', 'col en V', 'cuello de pico', 'scollo a V'],
    High: ['high neck', 'hoher Kragen', 'col montant', 'cuello alto', 'collo alto'],
    Collar: ['collar', 'Kragen', 'col', 'cuello camisero', 'colletto'],
    Lapel: ['lapels', 'Reverskragen', 'col à revers', 'cuello de solapa', 'collo a revers'],
    Hood: ['hood', 'Kapuze', 'capuche', 'capucha', 'cappuccio'],
    Square: ['square neckline', 'Karree-Ausschnitt', 'encolure carrée', 'escote cuadrado', 'scollo quadrato'],
    'Off-Shoulder': ['off-the-shoulder neckline', 'schulterfrei', 'épaules dénudées', 'hombros descubiertos',
      'spalle scoperte'],
    Strap: ['straps', 'Träger', 'bretelles', 'tirantes', 'spalline'],
    Other: ['', '', '', '', ''],
  },
  Sleeve: {
    None: ['sleeveless', 'ärmellos', 'sans manches', 'sin mangas', 'senza maniche'],
    Short: ['short sleeves', 'kurze Ärmel', 'manches courtes', 'manga corta', 'maniche corte'],
    'Three-Quarter': ['three-quarter sleeves', 'Dreiviertelärmel', 'manches trois-quarts', 'manga tres cuartos',
      'maniche a tre quarti'],
    Long: ['long sleeves', 'lange Ärmel', 'manches longues', 'manga larga', 'maniche lunghe'],
  },
  Closure: {
    Pullover: ['', '', '', '', ''],
    Button: ['button fastening', 'Knöpfe', 'fermeture boutonnée', 'cierre de botones', 'chiusura con bottoni'],
    Zip: ['zip fastening', 'Reißverschluss', 'fermeture éclair', 'cierre de cremallera', 'chiusura con zip'],
    Snap: ['press-stud fastening', 'Druckknöpfe', 'fermeture par pressions', 'cierre de botones a presión',
      'chiusura con bottoni a pressione'],
    'Open Front': ['open front', 'vorne offen', 'devant ouvert', 'delantero abierto', 'davanti aperto'],
    Toggle: ['toggle fastening', 'Knebelverschluss', 'fermeture à brandebourgs', 'cierre de trenca',
      'chiusura con alamari'],
    Tie: ['tie fastening', 'zum Binden', 'à nouer', 'cierre de lazo', 'chiusura con laccio'],
    Elasticated: ['elasticated waist', 'Gummibund', 'taille élastique', 'cintura elástica', 'elastico in vita'],
    'Button & Zip': ['button and zip fastening', 'Knopf und Reißverschluss', 'bouton et fermeture éclair',
      'cierre de botón y cremallera', 'chiusura con bottone e zip'],
    Drawstring: ['drawstring', 'Kordelzug', 'cordon de serrage', 'cordón ajustable', 'coulisse'],
    Buckle: ['buckle fastening', 'Schnalle', 'fermeture à boucle', 'cierre de hebilla', 'chiusura con fibbia'],
    'Slip-On': ['', '', '', '', ''],
    'Lace-Up': ['laces', 'zum Schnüren', 'à lacets', 'cierre de cordones', 'lacci'],
    Open: ['open top', 'oben offen', 'dessus ouvert', 'parte superior abierta', 'parte superiore aperta'],
  },
  Fit: {
    Slim: ['slim fit', 'schmale Passform', 'coupe ajustée', 'corte ajustado', 'vestibilità aderente'],
    Regular: ['regular fit', 'normale Passform', 'coupe classique', 'corte regular', 'vestibilità regolare'],
    Relaxed: ['relaxed fit', 'lockere Passform', 'coupe décontractée', 'corte holgado', 'vestibilità comoda'],
    Oversized: ['oversized fit', 'Oversize-Passform', 'coupe oversize', 'corte oversize', 'vestibilità oversize'],
    Bodycon: ['bodycon fit', 'figurbetont', 'coupe moulante', 'corte ceñido', 'taglio attillato'],
    Shift: ['shift cut', 'gerader Schnitt', 'coupe droite', 'corte recto', 'taglio dritto'],
    'A-Line': ['A-line cut', 'A-Linie', 'coupe trapèze', 'corte en A', 'linea ad A'],
    'Fit & Flare': ['fit-and-flare cut', 'tailliert mit ausgestelltem Rock', 'coupe cintrée et évasée',
      'corte entallado con vuelo', 'taglio svasato con vita segnata'],
    Pencil: ['pencil cut', 'enger, gerader Schnitt', 'coupe crayon', 'corte de tubo', 'taglio a tubino'],
    Straight: ['straight cut', 'gerader Schnitt', 'coupe droite', 'corte recto', 'taglio dritto'],
    Full: ['full cut', 'weiter Schnitt', 'coupe ample', 'corte con vuelo', 'taglio ampio'],
    Skinny: ['skinny fit', 'sehr enge Passform', 'coupe skinny', 'corte pitillo', 'taglio skinny'],
    Tapered: ['tapered leg', 'konisches Bein', 'coupe fuselée', 'pierna estrechada', 'gamba affusolata'],
    'Wide Leg': ['wide leg', 'weites Bein', 'jambes larges', 'pierna ancha', 'gamba larga'],
    Flared: ['flared leg', 'ausgestelltes Bein', 'coupe évasée', 'pierna acampanada', 'gamba svasata'],
  },
  'Fabric Type': {
    Jersey: ['jersey', 'Jersey', 'jersey', 'punto liso', 'jersey'],
    'Rib Knit': ['rib knit', 'Rippstrick', 'maille côtelée', 'punto acanalado', 'maglia a coste'],
    Knit: ['knit', 'Strick', 'maille', 'punto', 'maglia'],
    Woven: ['woven', 'Webstoff', 'tissé', 'tejido plano', 'tessuto a telaio'],
    Linen: ['linen look', 'Leinenoptik', 'aspect lin', 'efecto lino', 'effetto lino'],
    Technical: ['technical fabric', 'Funktionsstoff', 'tissu technique', 'tejido técnico', 'tessuto tecnico'],
    Chiffon: ['chiffon look', 'Chiffonoptik', 'aspect mousseline', 'efecto gasa', 'effetto chiffon'],
    Satin: ['satin look', 'Satinoptik', 'aspect satin', 'efecto satén', 'effetto raso'],
    Piqué: ['piqué', 'Piqué', 'piqué', 'piqué', 'piqué'],
    'Sweatshirt Fleece': ['sweatshirt fleece', 'Sweatstoff', 'molleton', 'felpa', 'felpa'],
    Denim: ['denim', 'Denim', 'denim', 'denim', 'denim'],
    Leather: ['leather look', 'Lederoptik', 'aspect cuir', 'efecto piel', 'effetto pelle'],
    Suede: ['suede look', 'Wildlederoptik', 'aspect daim', 'efecto ante', 'effetto camoscio'],
    Fleece: ['fleece', 'Fleece', 'polaire', 'forro polar', 'pile'],
    Quilted: ['quilted', 'gesteppt', 'matelassé', 'acolchado', 'trapuntato'],
    Wool: ['wool look', 'Wolloptik', 'aspect laine', 'efecto lana', 'effetto lana'],
    Corduroy: ['corduroy', 'Cord', 'velours côtelé', 'pana', 'velluto a coste'],
    Velvet: ['velvet look', 'Samtoptik', 'aspect velours', 'efecto terciopelo', 'effetto velluto'],
    Twill: ['twill', 'Twill', 'sergé', 'sarga', 'twill'],
    Rubber: ['rubber look', 'Gummioptik', 'aspect caoutchouc', 'efecto goma', 'effetto gomma'],
    'Cable Knit': ['cable knit', 'Zopfstrick', 'maille torsadée', 'punto de ochos', 'maglia a trecce'],
    Lace: ['lace', 'Spitze', 'dentelle', 'encaje', 'pizzo'],
    Mesh: ['mesh', 'Mesh', 'résille', 'malla', 'rete'],
    Poplin: ['poplin', 'Popeline', 'popeline', 'popelina', 'popeline'],
    Flannel: ['flannel', 'Flanell', 'flanelle', 'franela', 'flanella'],
    Silk: ['silk look', 'Seidenoptik', 'aspect soie', 'efecto seda', 'effetto seta'],
    Canvas: ['canvas', 'Canvas', 'toile', 'lona', 'tela'],
    Straw: ['straw look', 'Strohoptik', 'aspect paille', 'efecto paja', 'effetto paglia'],
    Felt: ['felt', 'Filz', 'feutre', 'fieltro', 'feltro'],
  },
} satisfies Readonly<Record<string, Table<string>>>

/** Fibres, whose names sellers write in any of the languages. */
// prettier-ignore
const fibres = [
  ['cotton', 'Baumwolle', 'coton', 'algodón', 'cotone'],
  ['wool', 'Wolle', 'laine', 'lana', 'lana'],
  ['merino wool', 'Merinowolle', 'laine mérinos', 'lana merino', 'lana merino'],
  ['cashmere', 'Kaschmir', 'cachemire', 'cachemir', 'cashmere'],
  ['mohair', 'Mohair', 'mohair', 'mohair', 'mohair'],
  ['alpaca', 'Alpaka', 'alpaga', 'alpaca', 'alpaca'],
  ['silk', 'Seide', 'soie', 'seda', 'seta'],
  ['linen', 'Leinen', 'lin', 'lino', 'lino'],
  ['viscose', 'Viskose', 'viscose', 'viscosa', 'viscosa'],
  ['lyocell', 'Lyocell', 'lyocell', 'lyocell', 'lyocell'],
  ['modal', 'Modal', 'modal', 'modal', 'modal'],
  ['polyester', 'Polyester', 'polyester', 'poliéster', 'poliestere'],
  ['nylon', 'Nylon', 'nylon', 'nailon', 'nylon'],
  ['polyamide', 'Polyamid', 'polyamide', 'poliamida', 'poliammide'],
  ['acrylic', 'Acryl', 'acrylique', 'acrílico', 'acrilico'],
  ['leather', 'Leder', 'cuir', 'piel', 'pelle'],
  ['suede', 'Wildleder', 'daim', 'ante', 'camoscio'],
  ['down', 'Daunen', 'duvet', 'plumón', 'piumino'],
] as const satisfies readonly Words[]

/** Returns the first fibre that a material names, in the words of `language`. Empty if it names none. */
export function mainFibre(material: string, language: Language): string {
  const words = material.toLowerCase()
  const places = fibres.map((names) => Math.min(...names.map((name) => placeOf(words, name.toLowerCase()))))
  const first = Math.min(...places)
  // Of names at the same place, the longest counts: `merino wool`.
  const found = fibres.findLast((_, index) => places[index] === first)
  return first === Infinity || found === undefined ? '' : (found[languages.indexOf(language)] ?? '')
}

function placeOf(words: string, name: string): number {
  const place = words.search(new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'u'))
  return place === -1 ? Infinity : place
}

/** Attributes with a table of words. Other attributes hold the client's own words, or are not for customers. */
export type ListedAttribute = keyof typeof values

/** The parts of a title, in its language; empty if unknown. */
type TitleParts = Readonly<Record<'brand' | 'itemType' | 'wearer' | 'pattern' | 'colour', string>>

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

interface Templates {
  readonly name: string
  /** Builds the start of a title, before details and size. */
  readonly title: (parts: TitleParts) => string
  /** Builds the first sentence of the description. Defaults to `title`. */
  readonly sentence?: (parts: TitleParts) => string
  readonly size: (size: string) => string
  /** Builds the note on the letter sizes that a garment fits. `chest` is its width with unit. */
  readonly fits: (letters: readonly string[], chest: string) => string
  readonly decimalPoint: ',' | '.'
  /** Separates a label from its value, including spaces. */
  readonly colon: string
}

/** Colours follow a word such as “in” or “coloris”, so that they need no grammatical agreement. */
const templates: Readonly<Record<Language, Templates>> = {
  en: {
    name: 'English',
    title: (parts) => join(parts.brand, inEnglish(parts)),
    sentence: (parts) => join(inEnglish(parts), parts.brand && `by ${parts.brand}`),
    size: (size) => `size ${size}`,
    fits: (letters, chest) => `Fits like ${letters.join(' to ')} (${chest} across the chest)`,
    decimalPoint: '.',
    colon: ': ',
  },
  de: {
    name: 'Deutsch',
    title: (parts) => join(parts.brand, parts.itemType, inGerman(parts)),
    sentence: (parts) => join(parts.itemType, parts.brand && `von ${parts.brand}`, inGerman(parts)),
    size: (size) => `Größe ${size}`,
    fits: (letters, chest) => `Fällt aus wie ${letters.join(' bis ')} (${chest} Brustweite, flach gemessen)`,
    decimalPoint: ',',
    colon: ': ',
  },
  fr: {
    name: 'Français',
    title: ({ itemType, wearer, brand, pattern, colour }) =>
      `${join(itemType, wearer, brand, pattern)}${colour && `, coloris ${colour}`}`,
    size: (size) => `taille ${size}`,
    fits: (letters, chest) => `Taille comme un ${letters.join(' à ')} (${chest} de largeur de poitrine)`,
    decimalPoint: ',',
    colon: '\u00a0: ',
  },
  es: {
    name: 'Español',
    title: ({ itemType, wearer, brand, pattern, colour }) =>
      join(itemType, wearer, brand, pattern, colour && `en ${colour}`),
    size: (size) => `talla ${size}`,
    fits: (letters, chest) => `Talla como una ${letters.join(' a ')} (${chest} de ancho de pecho)`,
    decimalPoint: ',',
    colon: ': ',
  },
  it: {
    name: 'Italiano',
    title: ({ itemType, wearer, brand, pattern, colour }) =>
      `${join(itemType, wearer, brand, pattern)}${colour && `, colore ${colour}`}`,
    size: (size) => `taglia ${size}`,
    fits: (letters, chest) => `Veste come una ${letters.join(' o ')} (${chest} di larghezza al petto)`,
    decimalPoint: ',',
    colon: ': ',
  },
}

const inEnglish = ({ wearer, pattern, itemType, colour }: TitleParts) =>
  join(wearer, pattern, itemType, colour && `in ${colour}`)

const inGerman = ({ wearer, pattern, colour }: TitleParts) => join(wearer, pattern, colour && `in ${colour}`)

const columnOf = <Key extends string>(table: Table<Key>, column: number) =>
  Object.fromEntries(Object.entries<Words>(table).map(([key, words]) => [key, words[column] ?? ''])) as Readonly<
    Record<Key, string>
  >

function wordsOf(language: Language) {
  const column = languages.indexOf(language)
  const ofValues = Object.entries<Table<string>>(values).map(([name, table]) => [name, columnOf(table, column)])
  return {
    sentence: templates[language].title,
    ...templates[language],
    labels: columnOf(labels, column),
    wearers: columnOf(wearers, column),
    conditions: columnOf(conditions, column),
    itemTypes: columnOf(itemTypes, column),
    measurements: columnOf(measurements, column),
    values: Object.fromEntries(ofValues) as Readonly<Record<ListedAttribute, Readonly<Record<string, string>>>>,
  }
}

export type ListingWords = ReturnType<typeof wordsOf>

const inEach = <T>(valueOf: (language: Language) => T) =>
  Object.fromEntries(languages.map((language) => [language, valueOf(language)])) as Readonly<Record<Language, T>>

export const listingWords = inEach(wordsOf)

/** Each language's name in the language itself. */
export const languageNames = inEach((language) => templates[language].name)
