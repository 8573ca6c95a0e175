// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/slice_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace calibscope {

namespace {

/// Whether the answer is of what was asked; cells may be larger than asked for.
bool answers(const Slice& slice, const SliceQuestion& question)
{
    return slice.firstRow == question.firstRow && slice.firstColumn == question.firstColumn &&
           slice.rowCount == question.rowCount && slice.columnCount == question.columnCount &&
           slice.rowStep >= question.rowStep && slice.columnStep >= question.columnStep;
}

/// The same but for the rectangle.
bool isSamePlane(SliceQuestion one, const SliceQuestion& other)
{
    one.firstRow = other.firstRow;
    one.rowCount = other.rowCount;
    one.firstColumn = other.firstColumn;
    one.columnCount = other.columnCount;
    one.rowStep = other.rowStep;
    one.columnStep = other.columnStep;
    return one == other;
}

/// A slice of the question, of which nothing was read.
Slice unreadOf(const SliceQuestion& question, std::uint64_t allBytes)
{
    Slice slice{.firstRow = question.firstRow,
                .firstColumn = question.firstColumn,
                .rowStep = question.rowStep,
                .columnStep = question.columnStep,
                .rowCount = question.rowCount,
                .columnCount = question.columnCount,
                .rows = question.cellRows(),
                .columns = question.cellColumns()};
    const std::size_t cells = slice.rows * slice.columns;
    slice.low.assign(cells, std::numeric_limits<float>::quiet_NaN());
    slice.high = slice.low;
    slice.marks.assign(cells, Slice::IsUnread);
    slice.clipped.assign(cells, 0);
    slice.allBytes = allBytes;
    return slice;
}

/// Whether bands are of rows; else of columns.
bool isCutByRows(const SliceQuestion& question)
{
    return question.cellRows() > 1;
}

/// The cells that a coarse look shows, in those of the question: until they are read.
Slice refined(const Slice& coarse, const SliceQuestion& question)
{
    Slice slice = unreadOf(question, coarse.allBytes);
    for (std::uint64_t row = 0; row < slice.rows; ++row)
        for (std::uint64_t column = 0; column < slice.columns; ++column) {
            const std::size_t from = coarse.cell(row * slice.rowStep / coarse.rowStep,
                                                 column * slice.columnStep / coarse.columnStep);
            const std::size_t to = slice.cell(row, column);
            slice.low[to] = coarse.low[from];
            slice.high[to] = coarse.high[from];
            slice.marks[to] = coarse.marks[from];
            slice.clipped[to] = coarse.clipped[from];
        }
    slice.rowEvery = coarse.rowEvery;
    slice.columnEvery = coarse.columnEvery;
    slice.isByChunks = coarse.isByChunks;
    return slice;
}

}  // namespace

std::optional<Slice> withBand(const Slice& slice, const Slice& band)
{
    const bool fits = band.rowStep == slice.rowStep && band.columnStep == slice.columnStep &&
                      band.firstRow >= slice.firstRow && band.firstColumn >= slice.firstColumn &&
                      (band.firstRow - slice.firstRow) % slice.rowStep == 0 &&
                      (band.firstColumn - slice.firstColumn) % slice.columnStep == 0;
    if (!fits)
        return std::nullopt;
    const std::uint64_t row = (band.firstRow - slice.firstRow) / slice.rowStep;
    const std::uint64_t column = (band.firstColumn - slice.firstColumn) / slice.columnStep;
    if (row > slice.rows || band.rows > slice.rows - row || column > slice.columns ||
        band.columns > slice.columns - column)
        return std::nullopt;
    Slice joined = slice;
    const auto copy = [&](const auto& from, auto& to) {
        for (std::uint64_t at = 0; at < band.rows; ++at)
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(band.cell(at, 0)), band.columns,
                        to.begin() + static_cast<std::ptrdiff_t>(slice.cell(row + at, column)));
    };
    copy(band.low, joined.low);
    copy(band.high, joined.high);
    copy(band.marks, joined.marks);
    copy(band.clipped, joined.clipped);
    joined.read += band.read;
    joined.finite += band.finite;
    joined.nan += band.nan;
    joined.infinite += band.infinite;
    joined.marked += band.marked;
    return joined;
}

Slice withoutGaps(Slice slice)
{
    const auto isRead = [&slice](std::size_t cell) {
        return (slice.marks[cell] & Slice::IsUnread) == 0;
    };
    const auto take = [&slice](std::size_t to, std::size_t from) {
        slice.low[to] = slice.low[from];
        slice.high[to] = slice.high[from];
    };
    std::vector<std::uint64_t> rows;  // some cells of which were read
    for (std::uint64_t row = 0; row < slice.rows; ++row) {
        std::vector<std::uint64_t> columns;
        for (std::uint64_t column = 0; column < slice.columns; ++column)
            if (isRead(slice.cell(row, column)))
                columns.push_back(column);
        if (columns.empty())
            continue;
        rows.push_back(row);
        std::size_t next = 0;
        for (std::uint64_t column = 0; column < slice.columns; ++column) {
            while (next + 1 < columns.size() && columns[next] < column)
                ++next;
            const bool isBefore = next > 0 && column < columns[next] &&
                                  column - columns[next - 1] < columns[next] - column;
            take(slice.cell(row, column), slice.cell(row, columns[isBefore ? next - 1 : next]));
        }
    }
    std::size_t next = 0;
    for (std::uint64_t row = 0; row < slice.rows && !rows.empty(); ++row) {
        while (next + 1 < rows.size() && rows[next] < row)
            ++next;
        const bool isBefore =
            next > 0 && row < rows[next] && row - rows[next - 1] < rows[next] - row;
        const std::uint64_t from = rows[isBefore ? next - 1 : next];
        for (std::uint64_t column = 0; column < slice.columns && from != row; ++column)
            take(slice.cell(row, column), slice.cell(from, column));
    }
    return slice;
}

SliceReader::SliceReader(TensorQuestions& engine, QObject* parent)
    : QObject(parent), m_engine(engine)
{}

bool SliceReader::isComplete() const
{
    return !m_request.isAtWork() &&
           (!m_problem.isEmpty() || (m_whole.isDone() && m_part.isDone() && m_line.isDone()));
}

void SliceReader::clear()
{
    m_request.drop();
    m_tensor.reset();
    m_whole = m_part = m_line = {};
    m_problem.clear();
}

void SliceReader::want(Layer& layer, const std::optional<SliceQuestion>& question)
{
    if (layer.wanted == question)
        return;
    layer.wanted = question;
    layer.bandsDone = 0;
    if (!question) {
        layer.answered.reset();
        layer.shown.reset();
    }
}

void SliceReader::show(const SliceWish& wish)
{
    if (m_tensor != wish.tensor) {
        clear();
        m_tensor = wish.tensor;
    } else if (m_whole.wanted == wish.whole && m_part.wanted == wish.part &&
               m_line.wanted == wish.line) {
        return;
    }
    m_problem.clear();
    want(m_whole, wish.whole);
    want(m_part, wish.part);
    want(m_line, wish.line);
    if (!m_request.isAtWork() || !m_isLook)
        next();
}

/// What is on screen comes before what is not, a look before all of it.
void SliceReader::next()
{
    m_request.drop();
    for (Layer* layer : {&m_whole, &m_part, &m_line})
        if (look(*layer))
            return;
    // All of the whole is of no use while only a part is on screen.
    for (Layer* layer : {m_part.wanted ? &m_part : &m_whole, &m_line})
        if (readBand(*layer))
            return;
    Q_EMIT changed();
}

bool SliceReader::look(Layer& layer)
{
    if (!layer.wanted || layer.isLooked())
        return false;
    SliceQuestion question = *layer.wanted;
    question.mostBytes = lookBytes;
    m_isLook = true;
    m_request = m_engine.ask(
        protocol::SliceRequest{.tensor = *m_tensor, .question = question, .isFirstLook = true},
        [this, &layer, asked = *layer.wanted](Answer<Slice> answer) {
            takeLook(layer, asked, std::move(answer));
        });
    return true;
}

void SliceReader::takeLook(Layer& layer, const SliceQuestion& question, Answer<Slice> answer)
{
    if (!answer.value)
        return fail(answer.failure);
    if (!answers(*answer.value, question))
        return fail(tr("The engine sent an answer of another kind than requested."));
    if (&layer == &m_whole && m_part.answered && !isSamePlane(*m_part.answered, question)) {
        m_part.answered.reset();
        m_part.shown.reset();
    }
    if (layer.wanted) {  // perhaps another one by now
        layer.answered = question;
        layer.bandsDone = 0;
        layer.shown = std::make_shared<const Slice>(answer.value->isByChunks
                                                        ? withoutGaps(*std::move(answer.value))
                                                        : *std::move(answer.value));
    }
    Q_EMIT changed();
    next();
}

bool SliceReader::readBand(Layer& layer)
{
    if (!layer.wanted || layer.isDone() || !layer.isLooked())
        return false;
    SliceQuestion band = *layer.wanted;
    const bool byRows = isCutByRows(band);
    const std::uint64_t cells = byRows ? band.cellRows() : band.cellColumns();
    const std::uint64_t count =
        std::clamp<std::uint64_t>(layer.shown->allBytes / bandBytes + 1, 1, cells);
    const std::uint64_t first = layer.bandsDone;
    const std::uint64_t some = std::min((cells - 1) / count + 1, cells - first);
    const auto cut = [&](std::uint64_t& begin, std::uint64_t& values, std::uint64_t step) {
        begin += first * step;
        values = std::min(some * step, values - first * step);
    };
    if (byRows)
        cut(band.firstRow, band.rowCount, band.rowStep);
    else
        cut(band.firstColumn, band.columnCount, band.columnStep);
    m_isLook = false;
    m_request = m_engine.ask(
        protocol::SliceRequest{.tensor = *m_tensor, .question = band},
        [this, &layer, band](Answer<Slice> answer) { takeBand(layer, band, std::move(answer)); });
    return true;
}

void SliceReader::takeBand(Layer& layer, const SliceQuestion& question, Answer<Slice> answer)
{
    if (!answer.value)
        return fail(answer.failure);
    if (!answers(*answer.value, question) || !answer.value->isWhole())
        return fail(tr("The engine sent an answer of another kind than requested."));
    // Numbers of the first look are not those of some of its cells.
    const Slice before = layer.bandsDone == 0 ? refined(*layer.shown, *layer.wanted) : *layer.shown;
    std::optional<Slice> joined = withBand(before, *answer.value);
    if (!joined)
        return fail(tr("The engine sent an answer of another kind than requested."));
    layer.bandsDone += isCutByRows(*layer.wanted) ? answer.value->rows : answer.value->columns;
    layer.shown = std::make_shared<const Slice>(*std::move(joined));
    Q_EMIT changed();
    next();
}

void SliceReader::fail(const QString& problem)
{
    m_problem = problem.isEmpty() ? tr("The engine gave no answer.") : problem;
    Q_EMIT changed();
}

}  // namespace calibscope
