"""What rendered labels say, by language. Written independently of the words that the reader looks for."""

# Fibres in the order of `fibres`, then the words for size, made in, shell and lining, and a line of care instructions.
fibres = ["Cotton", "Polyester", "Elastane", "Viscose", "Polyamide", "Wool", "Acrylic", "Linen", "Silk", "Cashmere", "Modal", "Lyocell"]

languages = {
    "en": ["cotton", "polyester", "elastane", "viscose", "polyamide", "wool", "acrylic", "linen", "silk", "cashmere", "modal", "lyocell"],
    "de": ["Baumwolle", "Polyester", "Elasthan", "Viskose", "Polyamid", "Wolle", "Polyacryl", "Leinen", "Seide", "Kaschmir", "Modal", "Lyocell"],
    "fr": ["coton", "polyester", "élasthanne", "viscose", "polyamide", "laine", "acrylique", "lin", "soie", "cachemire", "modal", "lyocell"],
    "es": ["algodón", "poliéster", "elastano", "viscosa", "poliamida", "lana", "acrílico", "lino", "seda", "cachemira", "modal", "lyocell"],
    "it": ["cotone", "poliestere", "elastan", "viscosa", "poliammide", "lana", "acrilico", "lino", "seta", "cashmere", "modal", "lyocell"],
    "pt": ["algodão", "poliéster", "elastano", "viscose", "poliamida", "lã", "acrílico", "linho", "seda", "caxemira", "modal", "liocel"],
    "nl": ["katoen", "polyester", "elastaan", "viscose", "polyamide", "wol", "acryl", "linnen", "zijde", "kasjmier", "modal", "lyocell"],
    "pl": ["bawełna", "poliester", "elastan", "wiskoza", "poliamid", "wełna", "akryl", "len", "jedwab", "kaszmir", "modal", "lyocell"],
    "cs": ["bavlna", "polyester", "elastan", "viskóza", "polyamid", "vlna", "polyakryl", "len", "hedvábí", "kašmír", "modal", "lyocell"],
    "sk": ["bavlna", "polyester", "elastan", "viskóza", "polyamid", "vlna", "polyakryl", "ľan", "hodváb", "kašmír", "modal", "lyocell"],
    "hu": ["pamut", "poliészter", "elasztán", "viszkóz", "poliamid", "gyapjú", "akril", "len", "selyem", "kasmír", "modál", "lyocell"],
    "ro": ["bumbac", "poliester", "elastan", "vâscoză", "poliamidă", "lână", "acril", "in", "mătase", "cașmir", "modal", "lyocell"],
    "sv": ["bomull", "polyester", "elastan", "viskos", "polyamid", "ull", "akryl", "linne", "siden", "kashmir", "modal", "lyocell"],
    "da": ["bomuld", "polyester", "elastan", "viskose", "polyamid", "uld", "akryl", "hør", "silke", "kashmir", "modal", "lyocell"],
    "no": ["bomull", "polyester", "elastan", "viskose", "polyamid", "ull", "akryl", "lin", "silke", "kasjmir", "modal", "lyocell"],
    "fi": ["puuvilla", "polyesteri", "elastaani", "viskoosi", "polyamidi", "villa", "akryyli", "pellava", "silkki", "kašmir", "modaali", "lyocell"],
    "et": ["puuvill", "polüester", "elastaan", "viskoos", "polüamiid", "vill", "akrüül", "lina", "siid", "kašmiir", "modaal", "lüotsell"],
    "lv": ["kokvilna", "poliesters", "elastāns", "viskoze", "poliamīds", "vilna", "akrils", "lins", "zīds", "kašmirs", "modāls", "liocels"],
    "lt": ["medvilnė", "poliesteris", "elastanas", "viskozė", "poliamidas", "vilna", "akrilas", "linas", "šilkas", "kašmyras", "modalas", "liocelis"],
    "tr": ["pamuk", "polyester", "elastan", "viskon", "polyamid", "yün", "akrilik", "keten", "ipek", "kaşmir", "modal", "lyocell"],
    "sl": ["bombaž", "poliester", "elastan", "viskoza", "poliamid", "volna", "akril", "lan", "svila", "kašmir", "modal", "liocel"],
    "hr": ["pamuk", "poliester", "elastan", "viskoza", "poliamid", "vuna", "akril", "lan", "svila", "kašmir", "modal", "liocel"],
}

phrases = {
    "en": ("Size", "Made in {}", "Shell", "Lining", "Machine wash at 30°C. Do not bleach. Do not tumble dry."),
    "de": ("Größe", "Hergestellt in {}", "Oberstoff", "Futter", "Maschinenwäsche 30°C. Nicht bleichen. Nicht trocknergeeignet."),
    "fr": ("Taille", "Fabriqué en {}", "Tissu principal", "Doublure", "Laver en machine à 30°C. Ne pas blanchir."),
    "es": ("Talla", "Hecho en {}", "Exterior", "Forro", "Lavar a máquina a 30°C. No usar lejía."),
    "it": ("Taglia", "Fabbricato in {}", "Esterno", "Fodera", "Lavare in lavatrice a 30°C. Non candeggiare."),
    "pt": ("Tamanho", "Fabricado em {}", "Exterior", "Forro", "Lavar à máquina a 30°C. Não usar lixívia."),
    "nl": ("Maat", "Gemaakt in {}", "Buitenstof", "Voering", "Machinewas op 30°C. Niet bleken."),
    "pl": ("Rozmiar", "Wyprodukowano w {}", "Wierzch", "Podszewka", "Prać w pralce w 30°C. Nie wybielać."),
    "cs": ("Velikost", "Vyrobeno v {}", "Vrchní materiál", "Podšívka", "Prát v pračce na 30°C. Nebělit."),
    "sv": ("Storlek", "Tillverkad i {}", "Yttertyg", "Foder", "Maskintvätt 30°C. Tål ej blekning."),
    "da": ("Størrelse", "Fremstillet i {}", "Yderstof", "For", "Maskinvask 30°C. Tåler ikke blegning."),
    "tr": ("Beden", "Üretim yeri {}", "Dış kumaş", "Astar", "30°C makinede yıkayın. Ağartmayın."),
}

countries = {
    "China": {"de": "China", "fr": "Chine", "es": "China", "it": "Cina", "pl": "Chinach", "cs": "Číně", "sv": "Kina", "da": "Kina", "tr": "Çin"},
    "Bangladesh": {"de": "Bangladesch", "pl": "Bangladeszu", "cs": "Bangladéši"},
    "Turkey": {"de": "der Türkei", "fr": "Turquie", "es": "Turquía", "it": "Turchia", "pt": "Turquia", "nl": "Turkije", "pl": "Turcji", "cs": "Turecku", "sv": "Turkiet", "da": "Tyrkiet", "tr": "Türkiye"},
    "India": {"de": "Indien", "fr": "Inde", "pt": "Índia", "pl": "Indiach", "cs": "Indii", "sv": "Indien", "da": "Indien", "tr": "Hindistan"},
    "Vietnam": {"pl": "Wietnamie", "cs": "Vietnamu"},
    "Portugal": {"it": "Portogallo", "pl": "Portugalii", "cs": "Portugalsku", "tr": "Portekiz"},
    "Italy": {"de": "Italien", "fr": "Italie", "es": "Italia", "it": "Italia", "pt": "Itália", "nl": "Italië", "pl": "Włoszech", "cs": "Itálii", "sv": "Italien", "da": "Italien", "tr": "İtalya"},
    "Morocco": {"de": "Marokko", "fr": "Maroc", "es": "Marruecos", "it": "Marocco", "pt": "Marrocos", "nl": "Marokko", "pl": "Maroku", "cs": "Maroku", "sv": "Marocko", "da": "Marokko", "tr": "Fas"},
    "Pakistan": {"es": "Pakistán", "pt": "Paquistão", "pl": "Pakistanie", "cs": "Pákistánu"},
    "Cambodia": {"de": "Kambodscha", "fr": "Cambodge", "es": "Camboya", "it": "Cambogia", "pt": "Camboja", "nl": "Cambodja", "pl": "Kambodży", "cs": "Kambodži", "sv": "Kambodja", "da": "Cambodja", "tr": "Kamboçya"},
    "Sri Lanka": {},
    "Indonesia": {"de": "Indonesien", "fr": "Indonésie", "pt": "Indonésia", "nl": "Indonesië", "pl": "Indonezji", "cs": "Indonésii", "sv": "Indonesien", "da": "Indonesien", "tr": "Endonezya"},
    "Romania": {"de": "Rumänien", "fr": "Roumanie", "es": "Rumanía", "pt": "Roménia", "nl": "Roemenië", "pl": "Rumunii", "cs": "Rumunsku", "sv": "Rumänien", "da": "Rumænien", "tr": "Romanya"},
    "Tunisia": {"de": "Tunesien", "fr": "Tunisie", "es": "Túnez", "pt": "Tunísia", "nl": "Tunesië", "pl": "Tunezji", "cs": "Tunisku", "sv": "Tunisien", "da": "Tunesien", "tr": "Tunus"},
}

brands = ["Zara", "H&M", "Mango", "Esprit", "s.Oliver", "Tom Tailor", "Marc O'Polo", "Vero Moda", "Jack & Jones", "Levi's", "Only", "Massimo Dutti", "Pull&Bear", "Bershka", "Tommy Hilfiger", "Calvin Klein", "Lacoste", "Superdry", "New Look", "River Island", "Marks & Spencer", "Next", "Gap", "Uniqlo", "Reserved", "Mohito", "Orsay", "Street One", "Cecil", "Gerry Weber", "Desigual", "Promod", "Benetton", "Stradivarius", "Petit Bateau", "Name It", "Gina Tricot", "Lindex", "KappAhl", "Arket", "Weekday", "Monki", "Columbia", "The North Face", "Patagonia", "Adidas", "Nike", "Puma", "Hugo Boss", "Topshop"]

unlisted = ["Larkspur", "Vintera", "Nordhavn", "Belmaro", "Quillow", "Studio Ostra", "Mirelle", "Atelier Brun", "Kestrel Co", "Lunaria"]

names = ["Emma Fischer", "Jonas Weber", "Lea Martin", "Noah Jansen"]
