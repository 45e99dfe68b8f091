//! How large cards, packets and words are, and what a card has room to say: from a hall's back row to a phone.

/// How much a card can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Density {
    /// Everything, where there is room for very large cards.
    Huge,
    /// Everything, to be read from the back row.
    Large,
    /// Everything.
    Full,
    /// Everything but the transactions, which the logs below show: for five servers on a flat stage.
    Flat,
    /// Everything, smaller.
    Compact,
    /// Name, role, the last few transactions.
    Small,
    /// The same on three lines.
    Little,
    /// Name, the sign of the role, two or three transactions.
    Mini,
    /// A strip beside a figure: name, the sign of the role, the end of the log.
    Strip,
    /// In a hall: everything.
    Hall,
    /// In a hall: everything but the transactions.
    HallSmall,
    /// In a hall: name, the sign of the role, the last transactions.
    HallMini,
}

/// What a density comes to, CSS pixels.
struct Measure {
    card: (f64, f64),
    squares: usize,
    strip: (f64, f64),
    packet: f64,
    label: f64,
    link: f64,
    rows: usize,
    class: &'static str,
}

impl Density {
    /// All of a usual stage, the largest first.
    pub const USUAL: [Density; 8] = [
        Density::Huge,
        Density::Large,
        Density::Full,
        Density::Flat,
        Density::Compact,
        Density::Small,
        Density::Little,
        Density::Mini,
    ];
    pub(super) const HALL: [Density; 3] = [Density::Hall, Density::HallSmall, Density::HallMini];

    #[rustfmt::skip]
    fn measure(self) -> Measure {
        let of = |card, squares, strip, packet, label, link, rows, class| {
            Measure { card, squares, strip, packet, label, link, rows, class }
        };
        match self {
            Density::Huge => of((300.0, 176.0), 8, (26.0, 33.5), 17.0, 15.0, 180.0, 4, "huge"),
            Density::Large => of((236.0, 138.0), 8, (20.5, 26.0), 14.0, 13.0, 150.0, 4, "large"),
            Density::Full => of((196.0, 112.0), 8, (17.0, 21.0), 12.5, 13.0, 100.0, 4, "full"),
            Density::Flat => of((200.0, 76.0), 0, (13.0, 17.0), 11.0, 13.0, 36.0, 3, "flat"),
            Density::Compact => of((158.0, 94.0), 8, (13.0, 16.5), 10.5, 12.0, 80.0, 3, "compact"),
            Density::Small => of((140.0, 74.0), 5, (13.0, 17.0), 9.0, 12.0, 50.0, 2, "small"),
            Density::Little => of((90.0, 64.0), 5, (10.0, 14.0), 8.5, 12.0, 40.0, 2, "little"),
            Density::Mini => of((72.0, 46.0), 4, (9.0, 13.0), 8.0, 12.0, 0.0, 2, "mini"),
            Density::Strip => of((150.0, 36.0), 0, (9.0, 13.0), 10.0, 12.0, 0.0, 2, "strip"),
            Density::Hall => of((330.0, 176.0), 8, (28.0, 36.0), 22.0, 20.0, 150.0, 3, "hall"),
            Density::HallSmall => of((230.0, 104.0), 0, (22.0, 28.0), 19.0, 20.0, 60.0, 2, "hall short"),
            Density::HallMini => of((112.0, 72.0), 4, (17.0, 22.0), 17.0, 20.0, 0.0, 2, "hall mini"),
        }
    }

    /// Width and height of a card.
    pub fn card(self) -> (f64, f64) {
        self.measure().card
    }

    /// How many transactions a card's strip shows.
    pub fn squares(self) -> usize {
        self.measure().squares
    }

    /// The strip: the size of a transaction's square, and how far two are apart.
    pub fn strip(self) -> (f64, f64) {
        self.measure().strip
    }

    /// Half the height of a packet.
    pub fn packet(self) -> f64 {
        self.measure().packet
    }

    /// The size of the words beside a packet.
    pub fn label(self) -> f64 {
        self.measure().label
    }

    /// The shortest link that cards of this size leave: packets must be seen on it.
    pub fn shortest_link(self) -> f64 {
        self.measure().link
    }

    /// How many lines a card of another system has room for, below its name.
    pub fn lines(self) -> usize {
        match self {
            Density::Huge | Density::Large | Density::Full => 4,
            Density::Compact | Density::Hall => 3,
            Density::Flat | Density::Small | Density::HallSmall => 2,
            Density::Little => 1,
            Density::Mini | Density::Strip | Density::HallMini => 0,
        }
    }

    /// How many waiting proposals and counts have room on the stage.
    pub fn rows(self) -> usize {
        self.measure().rows
    }

    /// The names of the style classes.
    pub fn class(self) -> &'static str {
        self.measure().class
    }

    /// Whether it is for a hall.
    pub fn is_hall(self) -> bool {
        self >= Density::Hall
    }

    /// Whether there is room for small things only.
    pub fn is_tight(self) -> bool {
        matches!(self, Density::Small | Density::Little | Density::Mini)
    }
}
